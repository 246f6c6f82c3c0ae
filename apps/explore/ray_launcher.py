#!/usr/bin/env python3
"""A worker of the explorer that is many: hands jobs to `emulsion explore worker` processes held by Ray actors, on whatever nodes Ray has.

    ray start --head
    emulsion explore run conv2d ... --db tune.db --workers 1 \\
        --worker-command "python3 apps/explore/ray_launcher.py --address auto --actors 1:16 -- emulsion explore worker conv2d ..."

Lines go in and out as apps/explore/queue/wire.h says: a hello, whose slots tell how many jobs may be under way, then a result for each
job, in any order. Ray starts an actor again, and gives it its jobs again, when its process or its node is lost; actors come with the
load, which is what Ray's autoscaler sees, and go when idle. A job is a pure function of its line, so doing one twice is harmless.
Needs Ray (pip install ray); the C++ build does not.
"""
import argparse
import collections
import json
import queue
import subprocess
import sys
import threading
import time

import ray

MOST_DEATHS = 5  # of worker processes on one job: then it is answered as failed


class Worker:
    """Owns one worker process on the node where Ray put it."""

    def __init__(self, command):
        self.command = command
        self.process = None
        self.hello = self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        for line in self.process.stdout:
            if is_a(line, "hello"):
                return line.rstrip("\n")
        raise RuntimeError(f"no worker: {self.command}")

    def greet(self):
        return self.hello

    def ask(self, line):
        """The result of one job; None when the process died of it."""
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            return None
        for answer in self.process.stdout:
            if is_a(answer, "job"):
                return answer.rstrip("\n")
        return None

    def time(self, lines):
        answers = []
        for line in lines:
            for _ in range(MOST_DEATHS):
                answer = self.ask(line)
                if answer is not None:
                    break
                self.process.wait()
                self.start()
            else:
                answer = failed(json.loads(self.hello), json.loads(line))
            answers.append(answer)
        return answers


def is_a(line, key):
    """Anything else is chatter of what started the worker."""
    try:
        return key in json.loads(line)
    except (ValueError, TypeError):
        return False


def failed(hello, job):
    row = {"job": job["job"]} | {key: hello[key] for key in ("problem", "machine", "build", "space")}
    row |= {"schedule": job["schedule"], "status": "failed", "cycles": 0, "limit": 2**64 - 1, "energy_pj": 0.0, "spm_bytes": 0, "ext_bytes": 0}
    return json.dumps(row | {"program": "", "error": f"it ended {MOST_DEATHS} workers", "ms": 0.0})


class Crew:
    """The actors, and which jobs each has."""

    def __init__(self, options, command):
        self.options, self.command = options, command
        self.remote = ray.remote(Worker).options(num_cpus=options.cpus, max_restarts=-1, max_task_retries=-1)
        self.coming = {}  # ref of a hello -> actor
        self.idle = {}  # actor -> since when
        self.busy = {}  # ref of results -> actor
        self.hello = None

    def size(self):
        return len(self.coming) + len(self.idle) + len(self.busy)

    def call_one(self):
        actor = self.remote.remote(self.command)
        self.coming[actor.greet.remote()] = actor

    def welcome(self, ref):
        actor, hello = self.coming.pop(ref), ray.get(ref)
        self.hello = self.hello or hello
        if json.loads(hello) != json.loads(self.hello):
            sys.exit(f"ray_launcher: a node has another build, machine or space: {hello}, not {self.hello}")
        self.idle[actor] = time.monotonic()

    def hand_out(self, waiting):
        while waiting and self.idle:
            actor = self.idle.popitem()[0]
            batch = [waiting.popleft() for _ in range(min(self.options.batch, len(waiting)))]
            self.busy[actor.time.remote(batch)] = actor
        if waiting and not self.coming and self.size() < self.options.most:
            self.call_one()

    def collect(self, seconds):
        """Results that have come; welcomes actors that have."""
        refs = list(self.coming) + list(self.busy)
        if not refs:
            time.sleep(seconds)
            return []
        lines = []
        for ref in ray.wait(refs, timeout=seconds)[0]:
            if ref in self.coming:
                self.welcome(ref)
            else:
                lines += ray.get(ref)
                self.idle[self.busy.pop(ref)] = time.monotonic()
        return lines

    def send_home(self):
        for actor, since in list(self.idle.items()):
            if self.size() > self.options.least and time.monotonic() - since > self.options.idle:
                del self.idle[actor]
                ray.kill(actor)


def read_jobs(jobs):
    for line in sys.stdin:
        if is_a(line, "job"):
            jobs.put(line.rstrip("\n"))
    jobs.put(None)


def say(line):
    print(line, flush=True)


def serve(options, command):
    crew, waiting, jobs, more = Crew(options, command), collections.deque(), queue.Queue(), True
    for _ in range(options.least):
        crew.call_one()
    while crew.hello is None:
        crew.collect(0.1)
    say(json.dumps(json.loads(crew.hello) | {"slots": options.most * options.batch}))
    threading.Thread(target=read_jobs, args=(jobs,), daemon=True).start()
    while more or waiting or crew.busy:
        try:
            while more:
                job = jobs.get(block=not waiting and not crew.busy and not crew.coming, timeout=options.idle)
                if job is None:
                    more = False
                else:
                    waiting.append(job)
        except queue.Empty:
            pass
        crew.hand_out(waiting)
        for line in crew.collect(0.02 if more else 0.1):
            say(line)
        crew.send_home()


def parse():
    own, command = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, command = own[:at], own[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage="%(prog)s [options] -- WORKER COMMAND")
    parser.add_argument("--address", help="of the Ray cluster, or auto; default: $RAY_ADDRESS, else Ray is started on this machine for the time being")
    parser.add_argument("--actors", default="1", help="how many workers: N, or LEAST:MOST by load (default 1)")
    parser.add_argument("--batch", type=int, default=8, help="jobs an actor is given at a time: Ray needs some 10 ms for each call (default 8)")
    parser.add_argument("--cpus", type=float, default=1, help="CPUs that Ray keeps for each worker (default 1)")
    parser.add_argument("--idle", type=float, default=30, help="seconds after which a worker without jobs goes (default 30)")
    options = parser.parse_args(own)
    if not command:
        parser.error("no worker command behind --")
    least, _, most = options.actors.partition(":")
    options.least, options.most = max(1, int(least)), max(1, int(least), int(most or least))
    return options, command[0] if len(command) == 1 else subprocess.list2cmdline(command)


def main():
    options, command = parse()
    ray.init(address=options.address, log_to_driver=False, logging_level="warning")
    serve(options, command)


if __name__ == "__main__":
    main()
