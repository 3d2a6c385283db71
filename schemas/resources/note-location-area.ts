/** Notes about a location area, which all requests there show, also those of other companies (crm-contract 4). */
import type { Declaration, DraftOf, RecordOf } from '#schemas/declare/declare.ts'
import { ID_MAX, NOTE_MAX } from '#schemas/limits.ts'

/** The record's key is the id of the creating change, or the CRM's id of a pulled record. */
export const noteLocationArea = {
  slug: 'noteLocationArea',
  path: 'noteLocationArea',
  fields: { note: { kind: 'text', max: NOTE_MAX, required: true, alwaysReturned: true } },
  crmOnlyFields: {
    openFlag: 'code',
    createdAt: 'time',
    createdDisplayName: 'text',
    // The author. Nobody else may edit the note.
    loginUserId: 'text',
    // Id of the folder with the photos; null until the first upload. The folder has this `name` and is in the folder
    // `noteLocationFolderId` (crm-contract 5).
    filePath: 'text',
    name: 'text',
    noteLocationFolderId: 'text',
  },
  names: { 'requestId?': 'text', 'locationAreaId?': 'text', 'type?': 'code' },
  own: {
    /** Id of the note's area; '' if the request has no area. */
    locationAreaId: `string <= ${ID_MAX}`,
    /** 1 依頼 (created by this app) or 2 現場. */
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

export type NoteRecord = RecordOf<typeof noteLocationArea>
export type NoteDraft = DraftOf<typeof noteLocationArea>
