/** What the ledger is told of a photo that has not gone: why, and whose fault that was (RULES OC2–OC5, OC8). */
import { photoAct } from '#schemas/photo-queue.ts'
import type { Step } from '../queue/drain.ts'
import type { Outcome } from '../transport/outcome.ts'
import { afterAccepted, isUnclear } from '../queue/own-fault.ts'
import { isInDoubt, MAX_SERVER_ERRORS } from './photo-doubt.ts'
import type { Job, Work } from './photo-job.ts'

/** A call was accepted: the file store is there. */
export const went = ({ faults }: Work, id: string) => faults.fold((state) => afterAccepted(state, [id]))

/** A call that was not accepted: 失敗, or what is known is kept and the caller comes back (RULES OC2–OC5). */
export async function after(
  work: Work,
  job: Job,
  outcome: Exclude<Outcome, { kind: 'accepted' }>,
): Promise<Step> {
  if (outcome.kind === 'refused' || outcome.kind === 'missing')
    return park(work, job, 'refused', outcome.reasons, outcome.status)
  const errors = job.row?.serverErrors ?? 0
  // its folder was read a moment ago: once others were accepted in between, that is enough of a sign (RULES OC8)
  const counts = isOwn(work, job, outcome) || (errors > 0 && isUnclear(outcome))
  return notGone(work, job, outcome, errors + (counts ? 1 : 0))
}

async function notGone(work: Work, job: Job, outcome: Outcome, serverErrors: number): Promise<Step> {
  const status = 'status' in outcome ? outcome.status : 0
  const event = outcome.kind === 'unknown' || isInDoubt(job.row) ? 'lost' : 'held'
  await work.store.note(job.photo, job.ledger, event, { status, serverErrors })
  return { kind: 'blocked', outcome }
}

/** The question what became of a call was not answered: a no says nothing of that call, and is the photo's own affair. */
export function notTold(
  work: Work,
  job: Job,
  outcome: Exclude<Outcome, { kind: 'accepted' }>,
): Promise<Step> {
  const isNo = outcome.kind === 'refused' || outcome.kind === 'missing'
  const told: Outcome = isNo ? { kind: 'unknown', status: outcome.status } : outcome
  const serverErrors = (job.row?.serverErrors ?? 0) + (isNo || isOwn(work, job, outcome) ? 1 : 0)
  // who wants it taken back waits for the answer
  if (isUnclear(told) && serverErrors >= MAX_SERVER_ERRORS && job.row?.wish !== 'discard')
    return park(work, job, 'refused', ['systemError'], 'status' in told ? told.status : 0, serverErrors)
  return notGone(work, job, told, serverErrors)
}

/** An answer of no use is its own fault only where the file store did something else meanwhile (RULES OC8). */
const isOwn = ({ faults }: Work, { photo }: Job, outcome: Outcome): boolean =>
  isUnclear(outcome) && faults.unclear([photoAct(photo) === 'upload' ? photo.key : photo.changeId])

export async function park(
  work: Work,
  { photo, ledger }: Job,
  state: 'refused' | 'expired',
  reasons: string[],
  status = 0,
  serverErrors?: number,
): Promise<Step> {
  const counted = serverErrors === undefined ? {} : { serverErrors }
  await work.store.note(photo, ledger, state, { reasons, status, settledAt: isoNow(work), ...counted })
  return { kind: 'done' }
}

export const isoNow = ({ now }: Work) => new Date(now()).toISOString()
