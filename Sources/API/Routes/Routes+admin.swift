import Access
import HTTP
import Shapes

/// Controls the cluster. Each action does the same as the command with its name, and is logged.
extension APIServer {
    @ListBuilder<APIRoute> var adminRoutes: [APIRoute] {
        APIRoute(.post, "/v1/lanes", .admin, addLane)
            .described(
                "addLane", "Creates a lane",
                .ok("The lane, open and without limits.", status: 201, headers: ["Location"]))
        APIRoute(.patch, "/v1/lanes/{name}", .admin, changeLane)
            .described(
                "changeLane", "Changes a lane's settings",
                details: "What is left out stays; null takes a bound or the price away.", .ok("The lane."))
        APIRoute(.put, "/v1/lanes/{name}/limits", .admin, limitLane)
            .described(
                "limitLane", "Replaces a lane's limits", details: "At once, and for the whole cluster.",
                .ok("The lane."))
        APIRoute(.post, "/v1/lanes/{name}/pause", .admin, pauseLane)
            .described(
                "pauseLane", "Pauses a lane", details: "Calls under way finish; no call starts.", .ok("The lane."))
        APIRoute(.post, "/v1/lanes/{name}/resume", .admin, resumeLane)
            .described(
                "resumeLane", "Resumes a lane",
                details: "Whether a person paused it, or its provider or its breaker stopped it.", .ok("The lane."))
        APIRoute(.get, "/v1/lanes/{name}/audit", .admin, auditLane)
            .described(
                "getLaneAudit", "Checks a lane's calls against its limits",
                details: "In every window of time. Not past the last change of the limits.", .ok("The audit."))
        APIRoute(.get, "/v1/workers", .admin, workers)
            .described("getWorkers", "Lists workers", .ok("The workers."))
        APIRoute(.post, "/v1/workers/{id}/quiet", .admin, quietWorker)
            .described("quietWorker", "Makes a worker finish its jobs and claim no more", .ok("The worker."))
        APIRoute(.post, "/v1/workers/{id}/resume", .admin, resumeWorker)
            .described("resumeWorker", "Makes a quiet worker claim jobs again", .ok("The worker."))
        APIRoute(.get, "/v1/jobs", .admin, jobs)
            .described(
                "getJobs", "Lists jobs",
                details:
                    "Those that are held, those that wait in the order in which a lane gives them out, and the dead, the latest first. With `question` or `friend`, only the jobs that carry it, without pages.",
                .ok("The jobs."), refuses: [404])
        APIRoute(.get, "/v1/jobs/finished", .admin, finishedJobs)
            .described(
                "getFinishedJobs", "Lists jobs that ended well",
                details: "The latest first: those of the last 24 hours, or of the 24 hours before `after`.",
                .ok("The jobs."), refuses: [404])
        APIRoute(.get, "/v1/jobs/{id}", .admin, job)
            .described("getJob", "Shows a job", .ok("The job, its failures, and why it waits."))
        APIRoute(.post, "/v1/jobs/{id}/hurry", .admin, hurryJob)
            .described("hurryJob", "Runs a waiting job before all others of its lane", .ok("It goes first."))
        steering(
            "retry", JobsRetried.self, "Enqueues a dead job again, or makes a waiting one due now",
            "Enqueues dead jobs again, and makes delayed ones due now")
        steering(
            "cancel", JobsCancelled.self, "Cancels a waiting job", details: "Its questions become failed.",
            "Cancels waiting jobs")
        steering(
            "discard", JobsDiscarded.self, "Deletes a dead job", details: "Its questions stay failed.",
            "Deletes dead jobs")
        APIRoute(.get, "/v1/chains", .admin, chains)
            .described("getChains", "Lists chains", .ok("Which providers are called, in which order."))
        APIRoute(.get, "/v1/chains/{name}", .admin, chain)
            .described("getChain", "Shows a chain", .ok("The chain."))
        APIRoute(.put, "/v1/chains/{name}", .admin, is: .conditional, setChain)
            .described(
                "setChain", "Creates a chain, or replaces it for new questions",
                details: "What is left out has its usual value.", .stored("The chain."), .made("The new chain."))
        APIRoute(.post, "/v1/chains/{name}/use", .admin, useChain)
            .described("useChain", "Sets the chain for new addresses of the token's account", .ok("Set."))
        APIRoute(.get, "/v1/chains/{name}/report", .admin, chainReport)
            .described(
                "reportChain", "Shows what each lane of a chain found, and what that cost",
                details: "Of the questions whose answers are kept.", .ok("The report."))
        APIRoute(.get, "/v1/cache", .admin, cache)
            .described("getCache", "Counts stored answers", .ok("By provider and status."))
        APIRoute(.get, "/v1/cache/answers", .admin, keptAnswers)
            .described(
                "getCacheAnswers", "Lists stored answers",
                details:
                    "One by one, the latest question first. Neither the address nor the place is told: an answer is everybody's who has the address. A page may have fewer answers than asked for, or none, and there may be more behind it as long as `next_before` is a number.",
                .ok("The answers."))
        APIRoute(.post, "/v1/cache/expire", .admin, is: .unremembered, expireAnswers)
            .described(
                "expireAnswers", "Expires answers, so that they are asked again",
                details: "What a person decided stays.", .ok("How many."))
        APIRoute(.post, "/v1/cache/purge", .admin, is: .unremembered, purgeAnswers)
            .described(
                "purgeAnswers", "Deletes answers that no address uses any more",
                details: "What a person decided stays.", .ok("How many."))
        APIRoute(.get, "/v1/tokens", .admin, tokens)
            .described(
                "getTokens", "Lists the account's tokens",
                details: "Without their secrets: the good, the expired and the revoked.", .ok("The tokens."))
        APIRoute(.post, "/v1/tokens", .admin, is: .unremembered, createToken)
            .described(
                "createToken", "Creates a token",
                details:
                    "For the account of the request's own token, with scopes that that one has, and for no longer. The answer is the only one that ever has the token; it is kept under no idempotency key.",
                .ok("The token.", status: 201))
        APIRoute(.delete, "/v1/tokens/{id}", .admin, revokeToken)
            .described(
                "revokeToken", "Revokes a token",
                details: "A server that used the token, or a session of it, refuses it within 5 seconds.",
                .nothing("It is revoked."))
        APIRoute(.get, "/v1/settings", .admin, settings)
            .described(
                "getSettings", "Shows what this coordinator runs with",
                details: "Of a secret it says only whether it is set.",
                .ok("Version, database, settings and providers."))
        APIRoute(.post, "/v1/rematch", .admin, is: .unremembered, rematch)
            .described(
                "rematch", "Asks answered questions again, to get better answers",
                details:
                    "Of the addresses of the token's account. The old places stay until better ones are there; what a person decided is never asked.",
                .ok("What it takes."))
        APIRoute(.get, "/v1/doctor", .admin, doctor)
            .described(
                "getDoctor", "Finds what slows or stops the cluster", details: "Changes nothing.",
                .ok("What was looked at."))
        APIRoute(.get, "/v1/review", .admin, review)
            .described(
                "getReview", "Lists questions that wait for a person", details: "Those of the account's own addresses.",
                .ok("The questions."))
        APIRoute(.get, "/v1/review/{id}", .admin, question)
            .described(
                "getQuestion", "Shows a question",
                details: "Of the account's own addresses, whether it waits for a person or not.",
                .ok("What was asked, and all that was found."))
        APIRoute(.post, "/v1/review/{id}/accept", .admin, acceptCandidate)
            .described("acceptCandidate", "Accepts one of a question's candidates", .ok("The question."))
        APIRoute(.post, "/v1/review/{id}/reject", .admin, rejectCandidates)
            .described("rejectCandidates", "Rejects all candidates of a question", .ok("The question."))
        APIRoute(.post, "/v1/review/{id}/pin", .admin, pinQuestion)
            .described(
                "pinQuestion", "Sets a question's place by hand", details: "No provider overrides it.",
                .ok("The question."))
        APIRoute(.post, "/v1/review/{id}/undo", .admin, undoDecision)
            .described(
                "undoDecision", "Takes the last decision of a question back",
                details: "409 where nothing was decided, or the answer was changed since.",
                .ok("The question, as it was before."))
        APIRoute(.get, "/v1/log", .admin, log)
            .described("getLog", "Lists who did what, and when", .ok("The acts, the latest first."))
    }

    /// The two routes of an action on one job, and on those of a selection.
    @ListBuilder<APIRoute> private func steering<Done: SteeredJobs>(
        _ verb: String, _ done: Done.Type, _ ofOne: String, details: String = "", _ ofMany: String
    ) -> [APIRoute] {
        APIRoute(.post, "/v1/jobs/{id}/\(verb)", .admin, is: .unremembered) { request in
            try await steerJob(request) as Reply<Done>
        }
        .described("\(verb)Job", ofOne, details: details, .ok("What was done."), refuses: [409, 413])
        APIRoute(.post, "/v1/jobs/\(verb)", .admin, is: .unremembered) { request, body in
            try await steerJobs(request, body) as Reply<Done>
        }
        .described("\(verb)Jobs", ofMany, .ok("What was done, or would be."))
    }
}
