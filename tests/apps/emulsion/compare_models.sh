#!/bin/sh
# compare_models.sh EMULSION NAME...: models of $EMULSION_MODELS against their stored reference results, byte for byte.
# "hannk" stands for every file of that folder. Exit code 77, "skipped", when the folder or the model is not there.
emulsion=$1
shift
[ -d "$EMULSION_MODELS" ] || { echo "skipped: EMULSION_MODELS names no folder"; exit 77; }
failed=0
for name in "$@"; do
    if [ "$name" = hannk ]; then set -- "$EMULSION_MODELS"/hannk/*.tflite; else set -- "$EMULSION_MODELS/$name".*; fi
    for model in "$@"; do
        [ -f "$model" ] || { echo "skipped: $model is not there"; exit 77; }
        "$emulsion" compare "$model" --against "$EMULSION_MODELS/expected" --target edge-256 || failed=1
    done
done
exit $failed
