/**
 * How a declared record travels that one `POST` makes and, where the CRM has one, a `PUT` edits (crm-contract 4). Bodies,
 * parsing and what is ours come from the declaration; what is the resource's own is how it is read back.
 */
import { type } from 'arktype'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import type { ContentOf, Declaration, RecordOf } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { wireId, wireText } from '#schemas/declare/wire.ts'
import { mergedEdit, type EditRules } from '../merge/merge-edit.ts'
import { bodyOf, isOfRecord, serverFromWire, timesInTokyo, unreadOf, withNamesOf } from '../wire/declared.ts'
import type { PushResource, ReadBack, ReadRequest } from './push-resource.ts'
import { readRecord } from './read-back.ts'

/** The answer to a creating call. */
const createdWire = type({
  id: wireId,
  'name?': wireText,
  'safetyFolderId?': wireText,
  'noteLocationFolderId?': wireText,
  'emergencyReportFolderId?': wireText,
})

/** What is known of the CRM's record beside its content, until it is read. */
const toldOf = (unread: object, before: object, change: AnyChange, created: object): object => ({
  ...unread,
  // until the CRM's own is read
  ...('createdAt' in unread && change.kind === 'create' && { createdAt: change.savedAt }),
  detailed: false,
  ...before,
  ...Object.fromEntries(Object.entries(created).filter(([name, value]) => name in unread && value !== null)),
})

/** Where nothing of its content is read back, a colleague's would be taken for it. */
const secondOf = ({ refusesSecond, identity }: Declaration) => ({
  refusesSecond,
  isKnownAgain: refusesSecond && identity.content.length > 0,
})

/** True if the row is the record's own. A pulled record belongs to the list that it came from, whatever its row says. */
const isIts =
  (declaration: Declaration, record: PushableRecord) =>
  (row: object): boolean =>
    record.key === record.serverId || isOfRecord(declaration, record, row)

type ReadingBack<D extends Declaration> = (
  record: RecordOf<D> & PushableRecord,
  fields: ContentOf<D>,
  read: ReadRequest,
) => Promise<ReadBack>

/** @param readBack whether the CRM has what a creating call was to make, whose outcome nobody knows */
export function createAndEdit<D extends Declaration>(
  declaration: D,
  readBack: ReadingBack<D>,
): PushResource<RecordOf<D> & PushableRecord> {
  type Server = NonNullable<(RecordOf<D> & PushableRecord)['server']>
  const { path, sends, together } = declaration
  const rules: EditRules = { edited: ({ fields }: AnyChange) => fields, together }
  const unread = unreadOf(declaration)
  const wire = wireOf(declaration)
  // the engine's record has its fields as an object; the declaration says which they are
  const contentOf = (record: PushableRecord, change: AnyChange) =>
    timesInTokyo(
      declaration,
      change.kind === 'create' ? change.fields : mergedEdit(rules, record, change).fields,
    ) as ContentOf<D>
  const pathOf = ({ serverId }: PushableRecord) => `${path}/${encodeURIComponent(serverId)}`
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
      return { call: { method: 'PUT', path: pathOf(record), body }, recordKeys, isOfOne: true }
    },

    created(body) {
      const answer = createdWire(body)
      return answer instanceof type.errors ? null : answer
    },

    readBack: ({ record, change }, read) => readBack(record, change.fields as ContentOf<D>, read),
    ...secondOf(declaration),

    serverAfter({ record, change }, created, stamp) {
      const server: object = {
        ...toldOf(unread, { ...record.server }, change, created),
        ...contentOf(record, change),
        id: created.id,
        stamp,
      }
      return withNamesOf(declaration, { ...record.server }, server) as Server
    },

    ...(sends.edit && {
      edits: {
        ...rules,
        readNow: (record, stamp, read) =>
          readRecord(read, pathOf(record), wire, isIts(declaration, record), (row) => {
            const server: object = { ...serverFromWire(declaration, row), stamp }
            return server as Server
          }),
      },
    }),
  }
}
