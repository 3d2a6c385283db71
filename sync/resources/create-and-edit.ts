/** How a record travels that one `POST` makes and, where the CRM has one, a `PUT` edits (crm-contract 4). */
import { type } from 'arktype'
import type { AnyChange, ChangeBase, PushableRecord } from '#schemas/change.ts'
import { wireId, wireText } from '#schemas/wire.ts'
import { mergedEdit, type EditRules } from '../merge/merge-edit.ts'
import { timesInTokyo } from '../wire/fields.ts'
import type { PushResource, ReadBack, ReadRequest } from './push-resource.ts'
import { readRecord } from './read-back.ts'

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
  refusesSecond: boolean
  /** Absent where the CRM has no `PUT`. */
  edit?: {
    /** The whole content: to the CRM an absent field is a null one (crm-contract 2). */
    body(record: R, fields: C['fields'], loginUserId: string): object
    /** The answer to `GET {path}/{id}`. */
    parse(raw: unknown): Omit<C['server'], 'stamp'> | type.errors
  }
  readBack(record: R, fields: C['fields'], read: ReadRequest): Promise<ReadBack>
  /** What only the CRM knows of a record that it was just given. */
  unread: Omit<C['server'], keyof C['fields'] | 'id' | 'detailed' | 'stamp'>
}

/** The answer to a creating call. */
const createdWire = type({
  id: wireId,
  'name?': wireText,
  'safetyFolderId?': wireText,
  'noteLocationFolderId?': wireText,
  'emergencyReportFolderId?': wireText,
})

const rules: EditRules = { edited: ({ fields }: AnyChange) => fields, together: [] }

export function createAndEdit<R extends RecordOf<C>, C extends Content>(parts: Parts<R, C>): PushResource<R> {
  const { path, createBody, refusesSecond, edit, readBack, unread } = parts
  const contentOf = (record: R, change: R['changes'][number]): C['fields'] =>
    timesInTokyo(change.kind === 'create' ? change.fields : mergedEdit(rules, record, change).fields)
  return {
    plan({ record, change }, _group, loginUserId) {
      const recordKeys = [record.key]
      if (change.kind === 'create') {
        const body = createBody(record, contentOf(record, change), loginUserId)
        return { call: { method: 'POST', path: `${path}/`, body, idempotencyKey: change.id }, recordKeys }
      }
      if (!edit || record.serverId === '') return null
      const body = edit.body(record, contentOf(record, change), loginUserId)
      return {
        call: { method: 'PUT', path: `${path}/${encodeURIComponent(record.serverId)}`, body },
        recordKeys,
        isOfOne: true,
      }
    },

    created(body) {
      const answer = createdWire(body)
      return answer instanceof type.errors ? null : answer
    },

    readBack: ({ record, change }, read) => readBack(record, change.fields, read),
    refusesSecond,

    serverAfter({ record, change }, created, stamp) {
      const told = Object.entries(created).filter(([name, value]) => name in unread && value !== null)
      return {
        ...unread,
        // until the CRM's own is read
        ...('createdAt' in unread && change.kind === 'create' && { createdAt: change.savedAt }),
        detailed: false,
        ...record.server,
        ...Object.fromEntries(told),
        ...contentOf(record, change),
        id: created.id,
        stamp,
      }
    },

    ...(edit && {
      edits: {
        ...rules,
        readNow: ({ serverId }, stamp, read) =>
          readRecord(read, `${path}/${encodeURIComponent(serverId)}`, edit.parse, (server) => ({
            ...server,
            stamp,
          })),
      },
    }),
  }
}
