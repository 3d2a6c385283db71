/** What is answered instead of acting; and times in which a whole API answers nothing of use, while the probe is answered. */
import type { Answer } from '#sync/transport/outcome.ts'
import type { Item, OutageName } from './plan-item.ts'

type Answered = Extract<Answer, { kind: 'answer' }>
type Outage = Extract<Item, { kind: 'outage' }>

export const LOST: Answer = { kind: 'no-answer', sent: true }
export const NOT_SENT: Answer = { kind: 'no-answer', sent: false }
/** An answer that is not the CRM's own. */
export const status = (code: number, body: unknown = { errors: ['故障'] }, isJson = true): Answered => ({
  kind: 'answer',
  status: code,
  body,
  isJson,
  total: null,
  retryAfter: code === 429 ? '2' : null,
})

const ANSWERS: Record<OutageName, Answer | 'reset'> = {
  '503': status(503),
  '503 Retry-After': { ...status(503), retryAfter: '60' },
  '429 Retry-After': { ...status(429, '<html>', false), retryAfter: '25' },
  '500': status(500),
  '401': status(401),
  '502 page': status(502, '<html>', false),
  reset: 'reset',
}

/** @param ms since the start of the run @returns what this API answers now instead of acting, `reset`: nothing */
export function outageAnswer(
  outages: readonly Outage[],
  lane: 'crm' | 'files',
  ms: number,
): Answer | 'reset' | null {
  const outage = outages.find(
    (each) => (each.lane ?? 'crm') === lane && each.at <= ms && ms < each.at + each.ms,
  )
  return outage ? ANSWERS[outage.answer] : null
}
