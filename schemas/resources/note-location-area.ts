/**
 * Notes about a location area. Every request there shows them, also those of other companies (spec 3,
 * crm-contract 4).
 */
import type { Declaration, DraftOf, RecordOf, ServerOf } from '#schemas/declare/declare.ts'
import { ID_MAX, NOTE_MAX } from '#schemas/limits.ts'

/** Key: the id of the creating change, or the CRM's id if it was pulled. */
export const noteLocationArea = {
  slug: 'noteLocationArea',
  path: 'noteLocationArea',
  fields: { note: { kind: 'text', max: NOTE_MAX, required: true, alwaysReturned: true } },
  crmOnlyFields: {
    openFlag: 'code',
    createdAt: 'time',
    createdDisplayName: 'text',
    // The author, who alone may edit the note.
    loginUserId: 'text',
    // `noteLocationFolderId` is the id of the folder with the photos (crm-contract 5).
    filePath: 'text',
    name: 'text',
    noteLocationFolderId: 'text',
  },
  names: { 'requestId?': 'text', 'locationAreaId?': 'text', 'type?': 'code' },
  own: {
    /** The note's area; '' while the request has none. */
    locationAreaId: `string <= ${ID_MAX}`,
    /** 1 依頼 (created by this app), 2 現場. */
    noteType: 'string <= 8',
  },
  kinds: ['create', 'edit'],
  sends: { create: { requestId: 'requestId' }, edit: {} },
  identity: { required: [], ifReturned: ['requestId', 'loginUserId'], content: 'all' },
  refusesSecond: false,
  owner: 'locationAreaId',
  list: 'own',
  together: [],
  editedByOthers: false,
  offline: { add: 'open-forms', edit: 'open-forms' },
  indexes: ['serverId', 'locationAreaId'],
} as const satisfies Declaration

export type NoteServer = ServerOf<typeof noteLocationArea>
export type NoteRecord = RecordOf<typeof noteLocationArea>
export type NoteDraft = DraftOf<typeof noteLocationArea>
