/** The queue's store with writes of states that break a rule: for planted defects. */
import type { QueueStore } from '#sync/changes/change-store.ts'
import { factsOf, type FactsOf } from '#sync/changes/send-adapter.ts'
import type { StateEvent } from '#schemas/send-state.ts'
import type { Defect } from './defect.ts'

export const withStates = (
  store: QueueStore,
  change: (honest: QueueStore) => Partial<QueueStore>,
): QueueStore => ({ ...store, ...change({ ...store }) })

/** What happened is not written. */
export const notPutting = (event: StateEvent): Defect => ({
  store: (store) =>
    withStates(store, ({ put }) => ({
      put: async (items, happened, facts) => {
        if (happened !== event) await put(items, happened, facts)
      },
    })),
})

/** Only these events are written before a call. */
export const beginning = (events: readonly StateEvent[]): Defect => ({
  store: (store) =>
    withStates(store, ({ put }) => ({
      begin: async (items, payload, facts = {}) => {
        const begun: FactsOf = (item) => ({ ...factsOf(facts, item), payload })
        for (const event of events) await put(items, event, begun)
        return true
      },
    })),
})
