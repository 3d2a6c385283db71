/** Deliberate defects of how an edit is laid over what the CRM holds, and of what it says: see `defects.ts`. */
import type { AnyChange } from '#schemas/change.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Reader } from '#sync/scheduler/api.ts'
import { ACCEPTED, answering } from './answering.ts'
import type { Planted } from './defect.ts'

const KEPT_MS = 3_000

export const editDefects: readonly Planted[] = [
  {
    name: 'blind PUT: what the CRM holds is not read',
    defect: {
      resource(row) {
        const { edits: _, ...blind } = row
        return blind
      },
    },
  },
  {
    name: 'an edit is not told from what was there before it',
    defect: {
      store: (store) => ({
        ...store,
        async record(resource, key) {
          const record = await store.record(resource, key)
          const bare = (change: AnyChange) => {
            const { madeOn: _, ...rest } = change
            return rest
          }
          return record && { ...record, changes: record.changes.map(bare) }
        },
      }),
    },
  },
  {
    name: 'an edit on top of one that was just sent is not told what that one has said',
    slow: true,
    defect: {
      store: (store) => ({
        ...store,
        async record(resource, key) {
          const record = await store.record(resource, key)
          if (!record) return null
          const rows = await store.sendFacts(record.changes.map(({ id }) => id))
          const asSaved = (change: AnyChange): AnyChange => {
            const { madeOn } = (rows.get(change.id) ?? {}) as Partial<AnyChange>
            return madeOn ? { ...change, madeOn } : change
          }
          return { ...record, changes: record.changes.map(asSaved) }
        },
      }),
    },
  },
  {
    name: 'the read before a PUT is answered from one of the last seconds',
    slow: true,
    defect: {
      api(api, { sleep }) {
        const kept = new Map<string, Promise<Outcome>>()
        const read: Reader['read'] = (path, query) => {
          const known = kept.get(path)
          if (known || !path.startsWith('quickReport/')) return known ?? api.fresh.read(path, query)
          const outcome = api.fresh.read(path, query)
          kept.set(path, outcome)
          void sleep(KEPT_MS).then(() => kept.delete(path))
          return outcome
        }
        return { ...api, fresh: { read } }
      },
    },
  },
  {
    name: '412 is taken for a refusal',
    slow: true,
    defect: answering((outcome) =>
      outcome.kind === 'stale'
        ? { kind: 'refused', status: 412, reasons: ['他の更新がありました。'] }
        : outcome,
    ),
  },
  {
    name: '412 is taken for accepted',
    slow: true,
    defect: answering((outcome) => (outcome.kind === 'stale' ? ACCEPTED : outcome)),
  },
  {
    name: 'If-Match of the first read',
    slow: true,
    defect: {
      http(http) {
        const first = new Map<string, string>()
        return (call) => {
          const tag = call.headers?.['If-Match']
          if (tag === undefined) return http(call)
          first.set(call.url, first.get(call.url) ?? tag)
          return http({ ...call, headers: { ...call.headers, 'If-Match': first.get(call.url) ?? tag } })
        }
      },
    },
  },
  {
    name: 'a PUT is never conditional',
    slow: true,
    defect: {
      api: (api) => ({
        ...api,
        write({ method, path, body, idempotencyKey }, hold) {
          return api.write({ method, path, body, ...(idempotencyKey && { idempotencyKey }) }, hold)
        },
      }),
    },
  },
  {
    name: 'after 412 the same is sent again, unmerged, for the newer state',
    slow: true,
    defect: {
      api(api) {
        let tag: string | undefined
        return {
          ...api,
          async write(call, hold) {
            const outcome = await api.write(call, hold)
            if (outcome.kind !== 'stale') return outcome
            const read = await api.fresh.read(call.path)
            tag = read.kind === 'accepted' ? read.etag : undefined
            return api.write({ ...call, ...(tag && { ifMatch: tag }) }, hold)
          },
        }
      },
    },
  },
  {
    name: 'times leave as they are stored',
    defect: {
      resource: (row) => ({
        ...row,
        plan(job, group, loginUserId) {
          const plan = row.plan(job, group, loginUserId)
          const { inTime, outTime } = job.change.fields
          const times = { ...(inTime && { inTime }), ...(outTime && { outTime }) }
          return plan && { ...plan, call: { ...plan.call, body: { ...plan.call.body, ...times } } }
        },
      }),
    },
  },
]
