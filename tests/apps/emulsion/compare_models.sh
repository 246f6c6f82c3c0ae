#!/bin/sh
# compare_models.sh EMULSION NAME [OPTION...]: a model of $EMULSION_MODELS against its stored reference results, byte for byte unless an
# option of `emulsion compare` says otherwise.
# "hannk" stands for every file of that folder. Exit code 77, "skipped", when the folder or the model is not there.
emulsion=$1 name=$2
shift 2
[ -d "$EMULSION_MODELS" ] || { echo "skipped: EMULSION_MODELS names no folder"; exit 77; }
if [ "$name" = hannk ]; then models="$EMULSION_MODELS/hannk/*.tflite"; else models="$EMULSION_MODELS/$name.*"; fi
failed=0
for model in $models; do
    [ -f "$model" ] || { echo "skipped: $model is not there"; exit 77; }
    "$emulsion" compare "$model" --against "$EMULSION_MODELS/expected" --target edge-256 "$@" || failed=1
done
exit $failed
