/** Deliberate defects of what the engine does while the CRM is not there: see `defects.ts`. */
import { factsOf } from '#sync/changes/send-adapter.ts'
import type { Planted } from './defect.ts'

export const outageDefects: readonly Planted[] = [
  {
    name: "a gateway's page is taken for the CRM's word",
    slow: true,
    defect: {
      http: (http) => async (call) => {
        const answer = await http(call)
        const isPage = answer.kind === 'answer' && answer.status >= 400 && answer.status < 500
        return isPage ? { ...answer, isJson: true } : answer
      },
    },
  },
  {
    name: 'every 5xx is the own fault of what it answers',
    defect: {
      store: (store) => ({
        ...store,
        async put(items, event, facts = {}) {
          const known = await store.sendFacts(items.map(({ change }) => change.id))
          const before = Math.max(0, ...[...known.values()].map(({ serverErrors }) => serverErrors))
          await store.put(items, event, (item) => {
            const told = factsOf(facts, item)
            const isError = event === 'lost' && (told.status ?? 0) >= 500
            return isError ? { ...told, serverErrors: before + 1 } : told
          })
        },
      }),
    },
  },
  {
    name: 'a 5xx to one change holds up all others',
    defect: {
      api: (api) => ({
        ...api,
        async write(call, hold) {
          const outcome = await api.write(call, hold)
          const isError = outcome.kind === 'unknown' && outcome.status >= 500
          return isError ? { kind: 'unknown', status: 0 } : outcome
        },
      }),
    },
  },
  { name: 'one look is enough after a create without an answer', slow: true, defect: { looksOnce: true } },
]
