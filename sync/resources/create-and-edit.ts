/** How a record travels that one `POST` makes and, where the CRM has one, a `PUT` edits (crm-contract 4). */
import { type } from 'arktype'
import type { ChangeBase, PushableRecord } from '#schemas/change.ts'
import { wireId } from '#schemas/wire.ts'
import type { PushResource, ReadBack, ReadRequest } from './push-resource.ts'

interface Content {
  fields: object
  server: { id: string; detailed: boolean; stamp: string }
}

type RecordOf<C extends Content> = PushableRecord & {
  server?: C['server'] | undefined
  changes: (ChangeBase & { kind: string; fields: C['fields'] })[]
}

interface Parts<R extends RecordOf<C>, C extends Content> {
  /** Under `{rest}`, without the slash. */
  path: string
  createBody(record: R, fields: C['fields'], loginUserId: string): object
  /** Absent where the CRM has no `PUT`. */
  editBody?: (record: R, fields: C['fields'], loginUserId: string) => object
  readBack(record: R, fields: C['fields'], read: ReadRequest): Promise<ReadBack>
  /** What only the CRM knows of a record that it was just given. */
  unread: Omit<C['server'], keyof C['fields'] | 'id' | 'detailed' | 'stamp'>
}

/** The answer to a creating call. */
const created = type({ id: wireId })

export function createAndEdit<R extends RecordOf<C>, C extends Content>(parts: Parts<R, C>): PushResource<R> {
  const { path, createBody, editBody, readBack, unread } = parts
  return {
    plan({ record, change }, _group, loginUserId) {
      const recordKeys = [record.key]
      if (change.kind === 'create') {
        const body = createBody(record, change.fields, loginUserId)
        return { call: { method: 'POST', path: `${path}/`, body, idempotencyKey: change.id }, recordKeys }
      }
      if (!editBody || record.serverId === '') return null
      const body = editBody(record, change.fields, loginUserId)
      return {
        call: { method: 'PUT', path: `${path}/${encodeURIComponent(record.serverId)}`, body },
        recordKeys,
      }
    },

    createdId(body) {
      const answer = created(body)
      return answer instanceof type.errors ? null : answer.id
    },

    readBack: ({ record, change }, read) => readBack(record, change.fields, read),

    serverAfter: ({ record, change }, serverId, stamp) => ({
      ...unread,
      detailed: false,
      ...record.server,
      ...change.fields,
      id: serverId,
      stamp,
    }),
  }
}
