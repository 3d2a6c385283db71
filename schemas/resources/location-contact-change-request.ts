/** Change requests about the contacts for entry (02) and exit (03), at most one of each per request (crm-contract 4). */
import type { Declaration, DraftOf, RecordOf } from '#schemas/declare/declare.ts'
import { CONTACT_MEANS_MAX, CONTACT_TEL_MAX, CONTACT_TEXT_MAX } from '#schemas/limits.ts'

export const locationContactChangeRequest = {
  slug: 'locationContactChangeRequest',
  path: 'locationContactChangeRequest',
  fields: {
    name: { kind: 'text', max: CONTACT_TEXT_MAX, required: true },
    kana: { kind: 'text', max: CONTACT_TEXT_MAX, required: true, rule: 'kana' },
    section: { kind: 'text', max: CONTACT_TEXT_MAX },
    class: { kind: 'text', max: CONTACT_TEXT_MAX },
    staffName: { kind: 'text', max: CONTACT_TEXT_MAX },
    means: { kind: 'text', max: CONTACT_MEANS_MAX },
    email: { kind: 'text', max: CONTACT_TEXT_MAX, rule: 'email' },
    tel1: { kind: 'text', max: CONTACT_TEL_MAX, required: true, rule: 'phone' },
  },
  crmOnlyFields: { editStatus: 'text' },
  names: { 'requestId?': 'text', 'type?': 'text' },
  // Codes of `ContactType`: 02 is entry, 03 is exit.
  own: { contactType: "'02' | '03'" },
  kinds: ['create', 'edit'],
  sends: {
    create: { requestId: 'requestId', type: 'contactType' },
    edit: { requestId: 'requestId', type: 'contactType' },
  },
  // A read-back finds the created record by the id in the request's row, so only the content is compared.
  identity: { required: [], ifReturned: [], content: 'all' },
  refusesSecond: true,
  owner: 'requestId',
  list: 'own',
  together: [],
  editedByOthers: true,
  offline: { add: 'open-forms', edit: 'open-forms' },
  indexes: ['serverId', 'requestId'],
} as const satisfies Declaration

export type ContactChangeRecord = RecordOf<typeof locationContactChangeRequest>
export type ContactChangeDraft = DraftOf<typeof locationContactChangeRequest>
export type ContactTypeCode = ContactChangeRecord['contactType']

/** The record's key: request id and type. */
export const contactChangeKey = (requestId: string, code: ContactTypeCode) => `${requestId}_${code}`
