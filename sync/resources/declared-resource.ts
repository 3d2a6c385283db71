/**
 * Sends and reads records of any resource that has a declaration, which lists its fields as data (`schemas/declare`,
 * crm-contract 4). A `POST` creates a record, a `PUT` edits it. A row that was read replaces the record's CRM state
 * (`server`); local changes stay. Each resource adds its own read-back.
 */
import { type } from 'arktype'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import type { ContentOf, Declaration, RecordOf, WireOf } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { mergedEdit, type EditRules } from '#sync/merge/merge.ts'
import type { PulledRow } from '../merge/merge-rows.ts'
import {
  bodyOf,
  emptyCrmOnlyFields,
  isOurs,
  serverFromWire,
  timesInTokyo,
  withoutStaleCodeNames,
} from '../wire/declared.ts'
import {
  createdWire,
  findOurs,
  ofOneRequest,
  pathOf,
  readRecord,
  type PullResource,
  type PushResource,
  type ReadBack,
  type ReadNow,
  type ReadRequest,
  type RecordList,
} from './resource.ts'

type ReadsBack<D extends Declaration> = (
  record: RecordOf<D> & PushableRecord,
  fields: ContentOf<D>,
  read: ReadRequest,
) => Promise<ReadBack>

/** Creates the rules for sending a resource with `POST` and `PUT`. */
export function createAndEdit<D extends Declaration>(
  declaration: D,
  readBack: ReadsBack<D>,
): PushResource<RecordOf<D> & PushableRecord> {
  type Server = NonNullable<(RecordOf<D> & PushableRecord)['server']>
  const { path, sends, together, refusesSecond, identity } = declaration
  const rules: EditRules = { edited: ({ fields }: AnyChange) => fields, together }
  const wire = wireOf(declaration)
  const contentOf = (record: PushableRecord, change: AnyChange) =>
    timesInTokyo(
      declaration,
      change.kind === 'create' ? change.fields : mergedEdit(rules, record, change).fields,
    ) as ContentOf<D>
  return {
    plan({ record, change }, _group, loginUserId) {
      const recordKeys = [record.key]
      const content = contentOf(record, change)
      if (change.kind === 'create') {
        const body = bodyOf(declaration, 'create', record, content, loginUserId)
        return { call: { method: 'POST', path: `${path}/`, body, idempotencyKey: change.id }, recordKeys }
      }
      if (!sends.edit || record.serverId === '') return null
      const body = bodyOf(declaration, 'edit', record, content, loginUserId)
      return {
        call: { method: 'PUT', path: pathOf(declaration, record.serverId), body },
        recordKeys,
        isOfOne: true,
      }
    },

    created(body) {
      const answer = createdWire(body)
      return answer instanceof type.errors ? null : answer
    },
    readBack: ({ record, change }, read) => readBack(record, change.fields as ContentOf<D>, read),
    refusesSecond,
    // With no fields to compare, a read-back could take a colleague's record for the one that was sent.
    isKnownAgain: refusesSecond && identity.content.length > 0,

    serverAfter({ record, change }, created, stamp) {
      const known = stateBefore(emptyCrmOnlyFields(declaration), record, change, created)
      const state: object = { ...known, ...contentOf(record, change), id: created.id, stamp }
      return withoutStaleCodeNames(declaration, { ...record.server }, state) as Server
    },

    ...(sends.edit && {
      edits: {
        ...rules,
        readNow: (record, stamp, read) =>
          readRecord(read, declaration, wire, record, stamp) as Promise<ReadNow<Server>>,
      },
    }),
  }
}

/**
 * What the device knows of the CRM state before it reads a record that was sent. Of what only the CRM sets (`unread`),
 * each replaces the one before: nothing, the time of saving, the state before, the answer to a `POST`.
 */
const stateBefore = (unread: object, record: PushableRecord, change: AnyChange, answer: object): object => ({
  ...unread,
  ...('createdAt' in unread && change.kind === 'create' && { createdAt: change.savedAt }),
  detailed: false,
  ...record.server,
  ...Object.fromEntries(Object.entries(answer).filter(([name, value]) => name in unread && value !== null)),
})

/** The fields of a record outside of `server`: for a row without a local record, and those that every read sets. */
interface RecordFields<R> {
  blank: Omit<R, 'serverId' | 'server' | 'changes' | 'unsent' | 'history'>
  fromRow?(local: R | undefined): Partial<R>
}

/** Creates the function that turns rows into records. `mayBeOurs`: a row may come from an unsent create (RULES PL3). */
export function declaredRow<D extends Declaration>(
  declaration: D,
  fieldsOf: (wire: WireOf<D>, list: RecordList) => RecordFields<RecordOf<D>>,
  { mayBeOurs = false } = {},
) {
  type R = RecordOf<D> & PushableRecord
  const parse = wireOf(declaration)
  return (raw: unknown, list: RecordList): PulledRow<R> | type.errors => {
    const wire = parse(raw)
    if (wire instanceof type.errors) return wire
    const row = wire as WireOf<D>
    const { blank, fromRow } = fieldsOf(row, list)
    return {
      id: row.id,
      key: (blank as { key: string }).key,
      record: (local, stamp) =>
        ({
          ...(local ?? { ...blank, changes: [], unsent: 'no' }),
          ...fromRow?.(local),
          serverId: row.id,
          server: { ...serverFromWire(declaration, row), stamp },
        }) as R,
      ...(mayBeOurs && {
        isOf: (record: R, fields: object, loginUserId: string) =>
          isOurs(declaration, { ...record, loginUserId }, fields as ContentOf<D>, row),
      }),
    }
  }
}

interface OfRequest extends Declaration {
  list: 'of-request'
  owner: 'requestId'
  own: Record<never, string>
}

export const listPath = ({ path }: Declaration, requestId: string) =>
  `${path}/request/${encodeURIComponent(requestId)}`

/**
 * Creates the rules for sending records with `list: 'of-request'`, any number for a request. After an ambiguous `POST`
 * the record is searched for in the list.
 *
 *     POST {path}/   PUT, GET {path}/{id}   GET {path}/request/{request's id}: the whole list
 */
export function pushOfRequest<D extends OfRequest>(
  declaration: D,
): PushResource<RecordOf<D> & PushableRecord> {
  const wire = wireOf(declaration)
  return createAndEdit(declaration, (record, fields, read) => {
    const query = { loginUserId: read.loginUserId }
    const list = { path: listPath(declaration, record.requestId), query, paged: false }
    return findOurs(read, list, wire, (row) => isOurs(declaration, record, fields, row))
  })
}

/** Creates the rules for reading records with `list: 'of-request'`. */
export const pullOfRequest = (declaration: OfRequest): PullResource<RecordOf<OfRequest>> => ({
  ...ofOneRequest(declaration.path),
  source: {
    kind: 'list',
    calls({ owner }, loginUserId) {
      return [{ path: listPath(declaration, owner), query: { loginUserId }, paging: null }]
    },
  },
  owners: ({ id }) => [id],
  row: declaredRow<OfRequest>(
    declaration,
    ({ id: key, workingDate }, { owner: requestId }) => ({
      blank: { key, requestId, workingDate: workingDate ?? '' },
      fromRow: (local) => ({ workingDate: workingDate ?? local?.workingDate ?? '' }),
    }),
    { mayBeOurs: true },
  ),
})
