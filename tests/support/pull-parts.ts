/** What a pull is made of beside its database and the CRM's answers, where it is tested alone. */
import { NEVER } from 'rxjs'
import { createInFlight } from '#sync/changes/replications.ts'
import { TICKS } from '#sync/lib/backoff.ts'
import { PullEngine } from '#sync/pull/engine/engine.ts'
import type { EngineParts, Work } from '#sync/pull/engine/work.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'

export const alone = () => ({
  gate: {
    passed: async () => undefined,
    failed: () => undefined,
    succeeded: () => undefined,
    mayHurry: () => false,
    isBlocked: () => false,
  },
  random: () => 0.5,
  inFlight: createInFlight(),
  stop$: NEVER,
  wake: () => undefined,
  pacer: { grant: () => true },
})

/** A pull of what these works read, at one turn of RxDB after another. */
export function pullOf(parts: Partial<EngineParts>, works: () => Work<never>[]) {
  class Pull extends PullEngine<never> {
    protected expired = async () => []
    protected async plan() {
      for (const work of works()) this.offer(work)
      return null
    }
  }
  const engine = new Pull({
    ...alone(),
    random: () => 0,
    ticks: TICKS,
    ...{ accepted: () => 0, report: () => undefined, answer: async () => undefined, ...parts },
  })
  const turn = () => engine.handler().catch(() => undefined)
  return { engine, turn }
}

export const listOf = (name: string, answer: () => Promise<Outcome>): Work<never> => ({
  name,
  priority: 'screen',
  async read() {
    throw new PullAgain(await answer())
  },
})
