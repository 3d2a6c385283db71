/** When the CRM is not there, and what it, or what stands in front of it, answers then (RULES OC7–OC9). */
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { FailingName } from './faults.ts'
import { REST } from './model-crm.ts'
import type { Item } from './plan-item.ts'

type Failing = Extract<Item, { kind: 'failing' }>

const answer = (status: number, body: unknown, isJson: boolean): Answer => ({
  kind: 'answer',
  status,
  body,
  isJson,
  total: null,
  retryAfter: null,
})
const page = (status: number) => answer(status, `<!doctype html><title>${status}</title>`, false)

/** What is answered instead of acting, beside pages; `slow`, `tardy` and `502after` act. */
const INSTEAD: Partial<Record<FailingName, Answer>> = {
  '500': answer(500, { error: '故障' }, true),
  write500: answer(500, { error: '故障' }, true),
  '403json': answer(403, {}, true),
}

export class FailingCrm {
  on = true
  private readonly planned: readonly Failing[]
  private readonly start: number

  constructor(planned: readonly Failing[], start: number) {
    this.planned = planned
    this.start = start
  }

  /** What is wrong with this call; only the API is behind the gateway. */
  of({ url, method }: HttpCall, now: number): FailingName | undefined {
    if (!this.on || !url.startsWith(REST)) return undefined
    const at = now - this.start
    const what = this.planned.find((one) => one.at <= at && at < one.at + one.ms)?.what
    return what === 'write500' && method === 'GET' ? undefined : what
  }

  instead(call: HttpCall, now: number): Answer | null {
    const what = this.of(call, now) ?? 'slow'
    const [, code] = /^(\d{3})page$/.exec(what) ?? []
    return code === undefined ? (INSTEAD[what] ?? null) : page(Number(code))
  }

  after = (call: HttpCall, now: number): Answer | null =>
    this.of(call, now) === '502after' && call.method !== 'GET' ? page(502) : null
}
