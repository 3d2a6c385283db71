/** Deliberate defects of how the resources beside quick reports travel: see `defects.ts`. */
import type { PushResource, ReadRequest } from '#sync/resources/resource.ts'
import type { Defect, Planted } from './defect.ts'
import { withStates } from './states-changed.ts'

/** What is sent is changed on its way. */
const saying =
  (change: (body: Record<string, unknown>, method: string) => object): NonNullable<Defect['others']> =>
  (row): PushResource => ({
    ...row,
    plan(job, group, loginUserId) {
      const plan = row.plan(job, group, loginUserId)
      if (!plan) return plan
      const { call } = plan
      return {
        ...plan,
        call: { ...call, body: { ...change(call.body as Record<string, unknown>, call.method) } },
      }
    },
  })

/** The row of a request says nothing of what its measures say. */
const unsaid = (read: ReadRequest): ReadRequest => {
  const fresh: ReadRequest['api']['fresh'] = {
    ...read.api.fresh,
    async read(path, query) {
      const outcome = await read.api.fresh.read(path, query)
      if (outcome.kind !== 'accepted' || !path.startsWith('request/')) return outcome
      const { safety = [], ...body } = outcome.body as { safety?: object[] }
      return { ...outcome, body: { ...body, safety: safety.map((each) => ({ ...each, needFlag: null })) } }
    },
  }
  return { ...read, api: { ...read.api, fresh } }
}

export const recordDefects: readonly Planted[] = [
  {
    name: 'of all other resources: no read-back before a second POST',
    defect: { others: (row) => ({ ...row, readBack: async () => ({ kind: 'absent' }) }) },
  },
  {
    name: 'another device’s measure is taken for ours, whatever it says',
    slow: true,
    defect: { others: (row) => ({ ...row, readBack: (job, read) => row.readBack(job, unsaid(read)) }) },
  },
  {
    name: 'of all other resources: a blind PUT',
    defect: {
      others(row) {
        const { edits: _, ...blind } = row
        return blind
      },
    },
  },
  {
    name: 'what has no key is taken for what the CRM makes once',
    slow: true,
    defect: { others: (row) => ({ ...row, refusesSecond: true }) },
  },
  {
    name: 'of all other resources: a field is left out of a PUT',
    defect: {
      others: saying((body, method) =>
        method === 'PUT' ? { ...body, parkingType: null, risk: null, section: null } : body,
      ),
    },
  },
  {
    name: 'of all other resources: times leave as they are stored',
    defect: {
      others: (row) => ({
        ...row,
        plan(job, group, loginUserId) {
          const plan = row.plan(job, group, loginUserId)
          const times = Object.entries(job.change.fields).filter(([name]) => name.endsWith('Time'))
          const body = { ...plan?.call.body, ...Object.fromEntries(times) }
          return plan && { ...plan, call: { ...plan.call, body } }
        },
      }),
    },
  },
  {
    name: 'what an edit replaces is not kept',
    slow: true,
    defect: {
      store: (store) =>
        withStates(store, ({ begin }) => ({ begin: (items, payload) => begin(items, payload) })),
    },
  },
]
