"""Enqueues a job over HTTP and runs it, with Python's standard library only.

    REDRIVE_URL=https://redrive.example.com PRODUCER_TOKEN=rdt_... WORKER_TOKEN=rdt_... python3 redrive_example.py
"""
import json
import os
import sys
import urllib.error
import urllib.request

URL = os.environ["REDRIVE_URL"].rstrip("/") + "/api/v1/queues/"
DEADLINE_SECONDS = 10


def call(token, path, body, key=None):
    """Sends one request and returns its answer. With a key it can be sent again: it takes effect once."""
    headers = {"authorization": "Bearer " + token, "content-type": "application/json"}
    if key is not None:
        headers["idempotency-key"] = key
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=DEADLINE_SECONDS) as answer:
        return json.load(answer)


def handle(job_type, payload):
    """What the job does. An exception is a failure that may be retried."""
    return {"greeting": "Hello, " + payload["name"]}


def work(token, queue):
    """Runs the jobs that are ready, one after the other."""
    ran = 0
    while True:
        claimed = call(token, queue + "/claim", {"worker": "py-1", "count": 1, "leaseMs": 30000})
        if not claimed["jobs"]:
            return ran
        job = claimed["jobs"][0]
        path = queue + "/jobs/" + job["envelope"]["jobId"] + "/"
        try:
            result = handle(job["envelope"]["jobType"], json.loads(job["payload"]))
        except Exception as error:
            failure = {"errorClass": "retryable", "errorCode": type(error).__name__, "message": str(error)[:1000]}
            call(token, path + "fail", {"token": job["token"], **failure})
        else:
            call(token, path + "ack", {"token": job["token"], "result": result})
        ran += 1


def main():
    job = {"jobId": "hello-1", "jobType": "greet", "payload": {"name": "Ada"}}
    broken = {"jobId": "hello-2", "jobType": "greet", "payload": {}, "maxAttempts": 1}
    for one in (job, broken):
        [result] = call(os.environ["PRODUCER_TOKEN"], "greetings/jobs", one, key=one["jobId"])["results"]
        print(result["jobId"], result["outcome"])
    print("jobs run:", work(os.environ["WORKER_TOKEN"], "greetings"))


try:
    main()
except urllib.error.HTTPError as error:
    sys.exit("%s: %s" % (error.code, json.load(error).get("detail")))
