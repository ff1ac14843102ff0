import Access
import HTTP
import Shapes

/// Controls the cluster. Each action does the same as the command with its name, and is logged.
extension APIServer {
    @RouteTable var adminRoutes: [APIRoute] {
        APIRoute(.post, "/v1/lanes", .admin, addLane)
            .described(
                "addLane", "Creates a lane", body: .json(Models.laneInput),
                .ok("The lane, open and without limits.", status: 201, headers: ["Location"]))
        APIRoute(.patch, "/v1/lanes/{name}", .admin, changeLane)
            .described(
                "changeLane", "Changes a lane's settings",
                details: "What is left out stays; null takes a bound or the price away.",
                body: .json(Models.laneChange),
                .ok("The lane."))
        APIRoute(.put, "/v1/lanes/{name}/limits", .admin, limitLane)
            .described(
                "limitLane", "Replaces a lane's limits", details: "At once, and for the whole cluster.",
                body: .json(Models.limitsInput), .ok("The lane."))
        APIRoute(.post, "/v1/lanes/{name}/pause", .admin, pauseLane)
            .described(
                "pauseLane", "Pauses a lane", details: "Calls under way finish; no call starts.",
                body: .json(Models.pauseInput).ifAny, .ok("The lane."))
        APIRoute(.post, "/v1/lanes/{name}/resume", .admin, resumeLane)
            .described(
                "resumeLane", "Resumes a lane",
                details: "Whether a person paused it, or its provider or its breaker stopped it.",
                .ok("The lane."))
        APIRoute(.get, "/v1/lanes/{name}/audit", .admin, auditLane)
            .described(
                "getLaneAudit", "Checks a lane's calls against its limits",
                details: "In every window of time. Not past the last change of the limits.",
                query: [
                    Field(
                        ifAny: "last_seconds", .integer(1...31_622_400).byDefault(3600), "How far to look back.",
                        example: 3600)
                ], .ok("The audit."))
        APIRoute(.get, "/v1/workers", .admin, workers)
            .described("getWorkers", "Lists workers", .ok("The workers."))
        APIRoute(.post, "/v1/workers/{id}/quiet", .admin, quietWorker)
            .described(
                "quietWorker", "Makes a worker finish its jobs and claim no more", .ok("The worker."))
        APIRoute(.post, "/v1/workers/{id}/resume", .admin, resumeWorker)
            .described("resumeWorker", "Makes a quiet worker claim jobs again", .ok("The worker."))
        APIRoute(.get, "/v1/jobs", .admin, jobs)
            .described(
                "getJobs", "Lists jobs",
                details:
                    "Those that are held, those that wait in the order in which a lane gives them out, and the dead, the latest first. With `question` or `friend`, only the jobs that carry it, without pages.",
                query: [
                    .limit(.work),
                    Field(ifAny: "lane", .line, "Only jobs of this lane.", example: "gazetteer"),
                    Field(ifAny: "state", .choice(["held", "ready", "later", "dead"]), example: "ready"),
                    Field(
                        ifAny: "after",
                        .text.matching(
                            #"^(held|ready|later|dead)\.[0-3]\.[0-9]{1,16}\.[1-9][0-9]{0,17}\.[^\u0000]{1,100}$"#),
                        "`next_after` of the page before.", example: "ready.1.1700000000000000.53.gazetteer"),
                    Field(
                        ifAny: "question", .id, "Only jobs that carry this question. Not together with `after`.",
                        example: 7),
                    Field(
                        ifAny: "friend", .id,
                        "Only jobs that carry a question of this friend, who is one of the account's. Not together with `after` or `question`.",
                        example: 12),
                ], .ok("The jobs."), refuses: [404])
        APIRoute(.get, "/v1/jobs/finished", .admin, finishedJobs)
            .described(
                "getFinishedJobs", "Lists jobs that ended well",
                details: "The latest first: those of the last 24 hours, or of the 24 hours before `after`.",
                query: [
                    .limit(.work),
                    Field(ifAny: "lane", .line, "Only jobs of this lane.", example: "gazetteer"),
                    Field(
                        ifAny: "after", .text.matching(#"^[1-9][0-9]{0,15}\.[1-9][0-9]{0,17}$"#),
                        "`next_after` of the page before.", example: "1700000000000000.53"),
                ], .ok("The jobs."), refuses: [404])
        APIRoute(.get, "/v1/jobs/{id}", .admin, job)
            .described("getJob", "Shows a job", .ok("The job, its failures, and why it waits."))
        APIRoute(.post, "/v1/jobs/{id}/hurry", .admin, hurryJob)
            .described(
                "hurryJob", "Runs a waiting job before all others of its lane", body: .json(Models.hurryInput).ifAny,
                .ok("It goes first.", Models.jobHurried))
        APIRoute(.post, "/v1/jobs/{id}/retry", .admin, isRemembered: false, retryJob)
            .described(
                "retryJob", "Enqueues a dead job again, or makes a waiting one due now",
                .ok("What was done.", Models.jobsRetried), refuses: [409, 413])
        APIRoute(.post, "/v1/jobs/{id}/cancel", .admin, isRemembered: false, cancelJob)
            .described(
                "cancelJob", "Cancels a waiting job", details: "Its questions become failed.",
                .ok("What was done.", Models.jobsCancelled), refuses: [409, 413])
        APIRoute(.post, "/v1/jobs/{id}/discard", .admin, isRemembered: false, discardJob)
            .described(
                "discardJob", "Deletes a dead job", details: "Its questions stay failed.",
                .ok("What was done.", Models.jobsDiscarded), refuses: [409, 413])
        APIRoute(.post, "/v1/jobs/retry", .admin, isRemembered: false, retryJobs)
            .described(
                "retryJobs", "Enqueues dead jobs again, and makes delayed ones due now",
                body: .json(Models.jobSelection), .ok("What was done, or would be.", Models.jobsRetried))
        APIRoute(.post, "/v1/jobs/cancel", .admin, isRemembered: false, cancelJobs)
            .described(
                "cancelJobs", "Cancels waiting jobs", body: .json(Models.jobSelection),
                .ok("What was done, or would be.", Models.jobsCancelled))
        APIRoute(.post, "/v1/jobs/discard", .admin, isRemembered: false, discardJobs)
            .described(
                "discardJobs", "Deletes dead jobs", body: .json(Models.jobSelection),
                .ok("What was done, or would be.", Models.jobsDiscarded))
        APIRoute(.get, "/v1/chains", .admin, chains)
            .described("getChains", "Lists chains", .ok("Which providers are called, in which order."))
        APIRoute(.get, "/v1/chains/{name}", .admin, chain)
            .described("getChain", "Shows a chain", .ok("The chain."))
        APIRoute(.put, "/v1/chains/{name}", .admin, isConditional: true, setChain)
            .described(
                "setChain", "Creates a chain, or replaces it for new questions",
                details: "What is left out has its usual value.", body: .json(Models.chainInput),
                .stored("The chain."), .made("The new chain."))
        APIRoute(.post, "/v1/chains/{name}/use", .admin, useChain)
            .described(
                "useChain", "Sets the chain for new addresses of the token's account", .ok("Set."))
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
                query: [
                    .limit(.work),
                    Field(ifAny: "before", .id, "`next_before` of the page before.", example: 900),
                    Field(
                        ifAny: "status", .choice(["located", "needs_review", "not_found", "failed", "forgotten"]),
                        example: "located"), Field(ifAny: "provider", .line, example: "nominatim"),
                    Field(ifAny: "precision", .precision, example: "city"),
                    Field(
                        ifAny: "confidence_below", .number(0...1), "A missing confidence counts as 0.", example: 0.8),
                    Field(
                        ifAny: "older_seconds", .integer(1...3_162_240_000), "Only answers that are at least so old.",
                        example: 86_400),
                    Field(
                        ifAny: "expires_seconds", .integer(1...3_162_240_000),
                        "Only answers that expire within this time.", example: 604_800),
                ], .ok("The answers."))
        APIRoute(.post, "/v1/cache/expire", .admin, isRemembered: false, expireAnswers)
            .described(
                "expireAnswers", "Expires answers, so that they are asked again",
                details: "What a person decided stays.",
                body: .json(Models.answerSelection), .ok("How many."))
        APIRoute(.post, "/v1/cache/purge", .admin, isRemembered: false, purgeAnswers)
            .described(
                "purgeAnswers", "Deletes answers that no address uses any more",
                details: "What a person decided stays.",
                body: .json(Models.answerSelection), .ok("How many."))
        APIRoute(.get, "/v1/tokens", .admin, tokens)
            .described(
                "getTokens", "Lists the account's tokens",
                details: "Without their secrets: the good, the expired and the revoked.",
                .ok("The tokens."))
        APIRoute(.post, "/v1/tokens", .admin, isRemembered: false, createToken)
            .described(
                "createToken", "Creates a token",
                details:
                    "For the account of the request's own token, with scopes that that one has, and for no longer. The answer is the only one that ever has the token; it is kept under no idempotency key.",
                body: .json(Models.tokenInput), .ok("The token.", status: 201))
        APIRoute(.delete, "/v1/tokens/{id}", .admin, revokeToken)
            .described(
                "revokeToken", "Revokes a token",
                details: "A server that knew the token, or a session of it, refuses it within 5 seconds.",
                .nothing("It is revoked."))
        APIRoute(.get, "/v1/settings", .admin, settings)
            .described(
                "getSettings", "Shows what this coordinator runs with",
                details: "Of a secret it says only whether it is set.",
                .ok("Version, database, settings and providers.", Models.settings))
        APIRoute(.post, "/v1/rematch", .admin, isRemembered: false, rematch)
            .described(
                "rematch", "Asks answered questions again, to get better answers",
                details:
                    "Of the addresses of the token's account. The old places stay until better ones are there; what a person decided is never asked.",
                body: .json(Models.rematchSelection), .ok("What it takes."))
        APIRoute(.get, "/v1/doctor", .admin, doctor)
            .described(
                "getDoctor", "Finds what slows or stops the cluster", details: "Changes nothing.",
                .ok("What was looked at."))
        APIRoute(.get, "/v1/review", .admin, review)
            .described(
                "getReview", "Lists questions that wait for a person", details: "Those of the account's own addresses.",
                query: [
                    .limit(.work),
                    Field(ifAny: "after", .integer(0 ... .max), "`next_after` of the page before.", example: 0),
                ], .ok("The questions."))
        APIRoute(.get, "/v1/review/{id}", .admin, question)
            .described(
                "getQuestion", "Shows a question",
                details: "Of the account's own addresses, whether it waits for a person or not.",
                .ok("What was asked, and all that was found."))
        APIRoute(.post, "/v1/review/{id}/accept", .admin, acceptCandidate)
            .described(
                "acceptCandidate", "Accepts one of a question's candidates", body: .json(Models.acceptInput).ifAny,
                .ok("The question."))
        APIRoute(.post, "/v1/review/{id}/reject", .admin, rejectCandidates)
            .described(
                "rejectCandidates", "Rejects all candidates of a question", .ok("The question."))
        APIRoute(.post, "/v1/review/{id}/pin", .admin, pinQuestion)
            .described(
                "pinQuestion", "Sets a question's place by hand", details: "No provider overrides it.",
                body: .json(Models.pinInput), .ok("The question."))
        APIRoute(.post, "/v1/review/{id}/undo", .admin, undoDecision)
            .described(
                "undoDecision", "Takes the last decision of a question back",
                details: "409 where nothing was decided, or the answer was changed since.",
                .ok("The question, as it was before."))
        APIRoute(.get, "/v1/log", .admin, log)
            .described(
                "getLog", "Lists who did what, and when",
                query: [
                    .limit(.records),
                    Field(ifAny: "before", .id, "Only acts with smaller numbers.", example: 1000),
                    Field(ifAny: "verb", .line, "An act, or a group of acts.", example: "lanes"),
                    Field(ifAny: "target", .line, "What it was done to.", example: "nominatim"),
                    Field(
                        ifAny: "who", .line, "A user, a token's name or number, an account or a machine.",
                        example: "pages"),
                    Field(ifAny: "last_seconds", .integer(1...3_162_240_000), "How far to look back.", example: 86_400),
                ], .ok("The acts, the latest first."))
    }
}
