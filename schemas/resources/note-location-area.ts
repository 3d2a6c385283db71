/** Notes about a location area: every request there, of any partner company, shows them (spec 3, crm-contract 4). */
import type { Declaration, DraftOf, RecordOf, ServerOf } from '#schemas/declare/declare.ts'
import { ID_MAX, NOTE_MAX } from '#schemas/limits.ts'

/** Key: the creating change's id for one made here, the CRM's id for one that was pulled. */
export const noteLocationArea = {
  slug: 'noteLocationArea',
  path: 'noteLocationArea',
  fields: { note: { kind: 'text', max: NOTE_MAX, required: true, always: true } },
  told: {
    openFlag: 'code',
    createdAt: 'time',
    createdDisplayName: 'text',
    // who wrote it: only one's own may be edited
    loginUserId: 'text',
    // where its photos lie (crm-contract 5)
    filePath: 'text',
    name: 'text',
    noteLocationFolderId: 'text',
  },
  names: { 'requestId?': 'text', 'locationAreaId?': 'text', 'type?': 'code' },
  own: {
    /** The area whose note it is; '' while the request does not say where it is. */
    locationAreaId: `string <= ${ID_MAX}`,
    /** 1 依頼 (made here), 2 現場. */
    noteType: 'string <= 8',
  },
  kinds: ['create', 'edit'],
  sends: { create: { requestId: 'requestId' }, edit: {} },
  identity: { always: [], whereRead: ['requestId', 'loginUserId'], content: 'all' },
  refusesSecond: false,
  owner: 'locationAreaId',
  list: 'own',
  together: [],
  // only its author may
  editedByOthers: false,
  offline: { add: 'open-forms', edit: 'open-forms' },
  indexes: ['serverId', 'locationAreaId'],
} as const satisfies Declaration

export type NoteServer = ServerOf<typeof noteLocationArea>
export type NoteRecord = RecordOf<typeof noteLocationArea>
export type NoteDraft = DraftOf<typeof noteLocationArea>
