/**
 * Planted defects of the rooms that no simulation drives whole, and the tests that must fail with them: an expression of the
 * shipped code, and what it becomes. Tests are named without `tests/sync/` and their ending.
 */
const P = (name, file, from, to, ...tests) => ({ name, file: `sync/${file}`, from, to, tests })

const leadership = [
  P('TB2 a hold allows what ends after it', 'leadership/hold.ts', 'performance.now() + ms < end', 'true', 'clock', 'take-over', 'hung-leader'),
  P('TB2 a write is not held against its hold', 'leadership/hold.ts', 'hold && !hold.allows(WRITE_MS)', 'false', 'hung-leader', 'take-over'),
  P('TB1 a leader that was robbed goes on', 'leadership/leadership.ts', 'await aborted(lost, stopped.signal)', 'await aborted(stopped.signal)', 'take-over'),
  P('TB1 nobody is told that the lead is lost', 'leadership/leadership.ts', 'lost.aborted && !stopped.signal.aborted', 'false', 'take-over'),
  P('TB1 a tab that slept takes over from a healthy one', 'leadership/leadership.ts', 'now - before > 2 * everyMs', 'false', 'take-over'),
  P('TB1 an answer of the leader is not counted', 'leadership/leadership.ts', 'tap(() => (asks = 0))', 'tap(() => undefined)', 'take-over'),
  P('TB1 a hidden tab asks, too', 'leadership/leadership.ts', 'visible ? unanswered$(channel, everyMs) : EMPTY', 'unanswered$(channel, everyMs)', 'take-over'),
  P('TB1 the lock of a page is held without end', 'leadership/page-locks.ts', 'Number.isFinite(limit)', 'false', 'hung-leader', 'take-over'),
  P('TB1 who left the line keeps the lock', 'leadership/page-locks.ts', 'if (place === 0) queue[0]?.start()', '', 'hung-leader', 'take-over', 'quick-report'),
  P('TB1 a lock is never taken from who has it', 'leadership/locks.ts', 'isGoingOn && now - since >= limit', 'false', 'hung-leader'),
  P('TB1 a lock is taken from whoever has it just now', 'leadership/locks.ts', 'clientId !== undefined && clientId === holder', 'true', 'hung-leader'),
  P('SV2 a wish is not carried out', 'leadership/leader-duties.ts', 'docs.length > 0 ? defer', 'false ? defer', 'discard', 'own-fault'),
]

const runtime = [
  P('OC4 offline is never said', 'runtime/connectivity.ts', 'online || !browserOffline', 'true', 'connectivity'),
  P('OC4 an answer of before the browser went offline counts', 'runtime/connectivity.ts', 'browserOffline$.value && before !== timesOffline', 'false', 'connectivity'),
  P('OC10 the probe knows no back-off', 'runtime/connectivity.ts', 'ok ? [true] : probing(attempt + 1)', 'ok ? [true] : probing(0)', 'connectivity'),
  P('OC4 a hidden tab probes', 'runtime/connectivity.ts', 'isWindows ? everySecond$ : untilReached$) : EMPTY', 'isWindows ? everySecond$ : untilReached$) : untilReached$', 'connectivity'),
  P('OC4 the first call without an answer is told', 'runtime/connectivity.ts', 'circuit.failures() !== 1', 'true', 'connectivity'),
  P('EX3 a lead of the wall clock is believed at once', 'runtime/trusted-time.ts', 'time.now - since < DAY_MS', 'false', 'trusted-time'),
  P('EX3 the CRM’s Date is not heard', 'runtime/trusted-time.ts', 'date === null || heard === null ? 0', 'true ? 0', 'trusted-time'),
  P('EX3 a Date that goes back sets the account back', 'runtime/trusted-time.ts', 'Math.max(date, heard ?? date)', 'date', 'trusted-time'),
  P('EX3 what the future confirmed is kept for ever', 'runtime/trusted-time.ts', "? 'undated' : 'kept'", "? 'kept' : 'kept'", 'trusted-time'),
  P('EX3 what was kept of the time is not read', 'runtime/trusted-time.ts', "JSON.parse(text ?? '')", "JSON.parse('')", 'trusted-time'),
  P('EX3 the time is never kept', 'runtime/time-keeper.ts', 'memory.set(JSON.stringify(time))', '', 'trusted-time', 'clock'),
  P('EX2 saves expire by a clock that ran ahead', 'runtime/time-keeper.ts', 'Math.min(time.now, wall())', 'wall()', 'trusted-time', 'clock'),
  P('PL5 more reads at once than allowed', 'runtime/limit-concurrency.ts', 'running < limit', 'true', 'photo-lane', 'prefetch'),
  P('SV3 a stop does not wait for what is under way', 'runtime/in-flight.ts', 'while (running.size > 0)', 'while (false)', 'session', 'quick-report', 'left-behind'),
]

const storage = [
  P('ST4 trouble of one moment counts many times', 'storage/storage-trouble.ts', 'failures > 0 && now < until', 'false', 'storage-trouble'),
  P('ST4 the wait does not grow', 'storage/storage-trouble.ts', '2 ** failures', '1', 'storage-trouble'),
  P('ST4 the wait has no end', 'storage/storage-trouble.ts', 'Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)', 'FIRST_WAIT_MS * 2 ** failures', 'storage-trouble'),
  P('ST4 what was still under way ends the trouble', 'storage/storage-trouble.ts', 'now < trouble.until ? trouble : NO_TROUBLE', 'NO_TROUBLE', 'storage-trouble'),
  P('ST4 a full device is not recognised', 'storage/storage-trouble.ts', "Reflect.get(error, 'name') === FULL", 'false', 'storage-trouble'),
  P('ST4 what Dexie wraps is not recognised', 'storage/storage-trouble.ts', "Reflect.get(Object(Reflect.get(error, 'inner')), 'name') === FULL", 'false', 'storage-trouble'),
  P('ST4 nobody is told that there is room again', 'storage/storage-trouble.ts', 'trouble.failures === 0 && isTold', 'false', 'storage-trouble'),
  P('ST4 what a handler threw is taken for the device’s', 'storage/storage-trouble.ts', "'direction' in parameters", 'false', 'storage-trouble'),
  P('ST4 a closed gate is taken for the device’s trouble', 'storage/storage-trouble.ts', '!(error instanceof PullAgain || error instanceof GateClosed) && !stopped', '!stopped', 'storage-trouble', 'outage'),
]

const transport = [
  P('PL11 a long text is taken whole', 'transport/bounded.ts', 'text.length > ANSWER_TEXT_MAX', 'false', 'bounded-answers'),
  P('PL11 a list of any length is taken', 'transport/bounded.ts', 'value.length = ANSWER_ROWS_MAX', '', 'bounded-answers'),
  P('PL11 any depth is taken', 'transport/bounded.ts', 'depth > ANSWER_DEPTH_MAX', 'false', 'bounded-answers'),
  P('PL11 a character is cut in two', 'transport/bounded.ts', "/[\\uD800-\\uDBFF]/.test(text[end - 1] ?? '')", 'false', 'bounded-answers'),
  P('PL11 a run without a place to break is taken', 'transport/bounded.ts', 'run.length > most', 'false', 'bounded-answers'),
  P('OC4 a lane’s back-off is not waited for', 'transport/gate.ts', 'Math.max(notBefore, now() + Math.min(wait, RETRY_AFTER_MAX_MS))', 'notBefore', 'gate'),
  P('OC4 reads that fail beside each other count each', 'transport/gate.ts', 'begunAt >= failedAt', 'true', 'gate', 'read-backoff'),
  P('PL8 a person’s call leaves again and again', 'transport/gate.ts', 'hurried && waiting() > 0', 'false', 'gate', 'read-backoff'),
  P('PL10 reads do not ease in after an outage', 'transport/gate.ts', 'rank === RANKS.pull ? now() + easeMs', 'false ? now() + easeMs', 'gate', 'backoff', 'pacing'),
  P('PL9 background takes all places', 'transport/read-queue.ts', 'background: 2', 'background: 4', 'read-queue'),
  P('PL9 what is on the glass waits its turn', 'transport/read-queue.ts', 'queue.waiting.find((read) => read.priority === priority)', 'queue.waiting[0]', 'read-queue'),
  P('OR4 a read before a PUT waits for the others', 'transport/read-queue.ts', 'send: Infinity', 'send: 4', 'read-queue', 'reads-first'),
  P('MG4 If-Match is never given up', 'transport/if-match.ts', 'tag !== undefined && unanswered < UNANSWERED_MAX', 'tag !== undefined', 'if-match-header', 'if-match'),
  P('MG4 412 is nobody’s word', 'transport/if-match.ts', "outcome.kind === 'unknown' && outcome.status === PRECONDITION_FAILED", 'false', 'if-match-header', 'if-match'),
  P('PL7 an endless list is read to the end', 'transport/read-pages.ts', 'page > 0 && outcome.body.length > 0 && known.size === before', 'false', 'pull-pages'),
  P('PL1 totals that differ are complete', 'transport/read-pages.ts', 'totals.every((each) => each === total)', 'true', 'pull-pages', 'hostile-answers', 'asked-lists', 'record-lists'),
  P('OC5 a refresh of another tab is not seen', 'transport/session-tokens.ts', 'session.accessToken !== stale.accessToken', 'false', 'session-tokens'),
  P('OC5 a gateway’s page ends the session', 'transport/session-tokens.ts', '!isRefusal(answer)', 'false', 'session-tokens'),
  P('SV4 any user’s token is used', 'transport/session-tokens.ts', 'session && session.userInfo.id === userId && !session.expired', 'session && !session.expired', 'session-tokens', 'session'),
  P('OC5 a 498 does not end the session', 'transport/session-tokens.ts', 'if (isStatus(answer, INVALID_TOKEN)) await expire(session)', '', 'session-tokens'),
  P('a 304 of another answer is believed', 'transport/conditional-get.ts', 'isTag(answer.etag) && !isSameTag(answer.etag, known.etag)', 'false', 'conditional-reads'),
  P('conditions are never given up', 'transport/conditional-get.ts', 'unanswered < UNANSWERED_MAX && disproved < DISPROVED_MAX', 'true', 'conditional-reads'),
  P('the signature leaves out the body', 'transport/signature.ts', '${method}\\n${pathAndQuery}\\n${body}', '${method}\\n${pathAndQuery}\\n', 'transport'),
  P('OC10 the first in line goes, whatever it is', 'transport/turns.ts', 'each.rank < best.rank ? each : best', 'best', 'circuit', 'gate'),
  P('OC10 who called on trial goes again', 'transport/turns.ts', 'rank !== tried && rank !== RANKS.probe', 'rank !== RANKS.probe', 'circuit', 'gate'),
  P('OC4 no jitter', 'transport/backoff.ts', '1 - random / 4', '1', 'backoff'),
]

const wire = [
  P('PL2 what throws costs the others', 'wire/attempt.ts', "return { kind: 'unreadable', problem: `${error instanceof Error ? error.name : 'something'} was thrown` }", 'throw error', 'hostile-answers', 'wire-fuzz'),
  P('PL2 every bad row is told', 'wire/attempt.ts', 'problems.slice(0, PROBLEMS_TOLD)', 'problems', 'hostile-answers', 'bounded-answers', 'error-log'),
  P('WR1 times leave as they are stored', 'wire/fields.ts', "name.endsWith('Time')", 'false', 'times-on-the-wire', 'crm-in-z'),
  P('OC3 what the read leaves out speaks against it', 'wire/fields.ts', 'other === null || isSame(value, other)', 'isSame(value, other)', 'wire-note-location-area', 'wire-location-contact-change-request', 'wire-customer-location-change-request'),
  P('PL2 a row without an id removes others', 'wire/parse-rows.ts', 'parsed.unreadable = true', 'parsed.unreadable = false', 'hostile-answers', 'wire-fuzz', 'record-lists'),
  P('PL2 a skipped row is missing', 'wire/parse-rows.ts', 'parsed.skippedIds.push(id.id)', '', 'hostile-answers', 'wire-fuzz', 'asked-lists', 'record-lists'),
  P('a reason of another type is sent', 'wire/quick-report.ts', 'type === QuickReportType.code.incomplete ? reason1 || null : null', 'reason1 || null', 'wire-quick-report'),
  P('an edit of the exit clears the entry time', 'wire/quick-report.ts', 'fields.inTime ? { inTime: fields.inTime } : {}', '{ inTime: fields.inTime }', 'wire-quick-report'),
  P('PL3 a summary of another report keeps the text', 'wire/quick-report.ts', 'previous?.id === summary.id', 'previous', 'wire-quick-report'),
  P('an exit says nothing of its group', 'wire/quick-report.ts', 'serverIds.map((id) => ({ id }))', 'serverIds.slice(0, 1).map((id) => ({ id }))', 'wire-quick-report', 'quick-report'),
  P('PL5 a changed row keeps its details fresh', 'wire/request.ts', "changed ? '' : (previous?.detailConfirmedAt ?? '')", "(previous?.detailConfirmedAt ?? '')", 'reconcile', 'wire-request'),
  P('a row without all of its details clears them', 'wire/request.ts', "read === 'single' || isWhole(row)", 'true', 'wire-request', 'pull-details'),
  P('an address without its parts', 'wire/request.ts', "parts.filter(Boolean).join(' ') || null", "parts.join(' ')", 'wire-request'),
  P('codes with blanks', 'wire/emergency-report.ts', 'code.trim()', 'code', 'wire-emergency-report'),
  P('OC3 another’s emergency report is ours', 'wire/emergency-report.ts', 'sameSet(read.risk, sent.risk)', 'true', 'wire-emergency-report'),
  P('OC3 any note is ours', 'wire/note-location-area.ts', 'wire.note === note', 'true', 'wire-note-location-area'),
  P('OC3 a measure of another day is ours', 'wire/safety-measure.ts', '(safety.workingDate ?? row.workingDate) === workingDate', 'true', 'wire-safety-measure'),
]

const resources = [
  P('OC3 a refused read proves that nothing is there', 'resources/read-back.ts', "outcome.kind === 'missing' ? { kind: 'absent' }", "outcome.kind !== 'unreachable' ? { kind: 'absent' }", 'resources', 'records', 'outage'),
  P('OC6 another record’s row is ours', 'resources/read-back.ts', 'isOurs(row) && !taken.has(row.id)', 'isOurs(row)', 'resources', 'records', 'note-location-area', 'emergency-report'),
  P('OC6 a list that is not complete proves it', 'resources/read-back.ts', '!read.complete', 'false', 'pull-pages', 'resources'),
  P('a POST without its key', 'resources/create-and-edit.ts', 'body, idempotencyKey: change.id', 'body', 'resources', 'records', 'emergency-report', 'safety-measure'),
  P('what only the CRM knows is forgotten by an edit', 'resources/create-and-edit.ts', '...record.server,', '', 'resources', 'records', 'note-location-area', 'emergency-report'),
  P('OC3 a report of another day is read back', 'resources/quick-report.ts', 'row.workingDate === record.workingDate ? row.quickReport : null', 'row.quickReport', 'quick-report-outcome', 'resources', 'quick-report'),
  P('a report changed by others goes with the group', 'resources/quick-report.ts', 'JSON.stringify(contentOf(member, own)) === JSON.stringify(content)', 'true', 'edit-on-edit', 'other-edits', 'opened-edits', 'quick-report'),
]

const merge = [
  P('OR2 a touch counts as sent', 'merge/conflict.ts', "context === 'upstream-check-if-equal' && b.changes.length > 0", 'false', 'resume-queue', 'resources', 'decisions'),
  P('MG1 the older value wins', 'merge/merge.ts', 'order(b.stamp, a.stamp) ||', 'order(a.stamp, b.stamp) ||', 'merge-cases'),
  P('MG2 times are compared as texts', 'merge/merge.ts', 'one === other || Date.parse(one) === Date.parse(other)', 'one === other', 'merge-cases'),
  P('MG2 what others said is not kept', 'merge/merge.ts', 'theirs[field]?.[0]?.stamp === stamp', 'false', 'merge-cases'),
  P('MG2 a reason without its type', 'merge/merge.ts', 'isWhole && together.includes(field)', 'false', 'merge-cases'),
  P('MG3 what an edit was made on is lost', 'merge/merge-edit.ts', 'change.stamp > sent.stamp ? {', 'false ? {', 'edit-on-edit'),
  P('PL3 a summary from before the report’s own is believed', 'merge/report-summaries.ts', 'request.readStamp > report.server.stamp', 'true', 'pull', 'quick-report', 'edit-on-edit'),
]

export const plants = [...leadership, ...runtime, ...storage, ...transport, ...wire, ...resources, ...merge]

/** @returns the text with the defect in it @throws where its place is not there exactly once */
export function planted(text, { name, from, to }) {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`${name}: ${parts.length - 1} times in its file: ${from}`)
  return parts.join(to)
}
