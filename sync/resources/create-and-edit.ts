/**
 * How a declared record is sent: one `POST` creates it and, if the CRM has it, a `PUT` edits it (crm-contract
 * 4). Bodies, parsing and identity come from the declaration; each resource adds its read-back.
 */
import { type } from 'arktype'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import type { ContentOf, Declaration, RecordOf } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { wireId, wireText } from '#schemas/declare/wire.ts'
import { mergedEdit, type EditRules } from '../merge/merge-edit.ts'
import {
  bodyOf,
  isOfRecord,
  serverFromWire,
  timesInTokyo,
  emptyCrmOnlyFields,
  withoutStaleCodeNames,
} from '../wire/declared.ts'
import type { PushResource, ReadBack, ReadRequest } from './push-resource.ts'
import { readRecord } from './read-back.ts'

/** The response to a creating call. */
const createdWire = type({
  id: wireId,
  'name?': wireText,
  'safetyFolderId?': wireText,
  'noteLocationFolderId?': wireText,
  'emergencyReportFolderId?': wireText,
})

/** What is known of the CRM's record besides its content, until it is read. */
const toldOf = (unread: object, before: object, change: AnyChange, created: object): object => ({
  ...unread,
  // Provisional, until the CRM's own value is read.
  ...('createdAt' in unread && change.kind === 'create' && { createdAt: change.savedAt }),
  detailed: false,
  ...before,
  ...Object.fromEntries(Object.entries(created).filter(([name, value]) => name in unread && value !== null)),
})

/** If no content is read back, a colleague's record could be mistaken for ours. */
const secondOf = ({ refusesSecond, identity }: Declaration) => ({
  refusesSecond,
  isKnownAgain: refusesSecond && identity.content.length > 0,
})

/**
 * True if the row belongs to the record. A pulled record belongs to the list that it came from, whatever its
 * row says.
 */
const isIts =
  (declaration: Declaration, record: PushableRecord) =>
  (row: object): boolean =>
    record.key === record.serverId || isOfRecord(declaration, record, row)

type ReadingBack<D extends Declaration> = (
  record: RecordOf<D> & PushableRecord,
  fields: ContentOf<D>,
  read: ReadRequest,
) => Promise<ReadBack>

/**
 * Creates the push rules of a declared resource.
 * @param readBack checks whether the CRM has what a creating call with unknown outcome was to create
 */
export function createAndEdit<D extends Declaration>(
  declaration: D,
  readBack: ReadingBack<D>,
): PushResource<RecordOf<D> & PushableRecord> {
  type Server = NonNullable<(RecordOf<D> & PushableRecord)['server']>
  const { path, sends, together } = declaration
  const rules: EditRules = { edited: ({ fields }: AnyChange) => fields, together }
  const unread = emptyCrmOnlyFields(declaration)
  const wire = wireOf(declaration)
  // The engine's record has untyped fields; the declaration gives their types.
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
      return withoutStaleCodeNames(declaration, { ...record.server }, server) as Server
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
