/**
 * The resources that travel, as the contract has them (crm-contract 4) and as a person fills them in: one row for each. The
 * model CRM keeps records by it, and the witness tells them apart by it; neither asks the engine.
 */
import { pushCollections, type PushCollection } from '#schemas/collections/push-collections.ts'
import { isStoredAs } from '#schemas/stored-text.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import { STORINGS } from '../support/storings.ts'

export interface RecordKind {
  /** Under `{rest}`. */
  path: string
  /** Fields of the wire that a person fills in. */
  content: readonly string[]
  /** Fields that make sense only together. */
  together: readonly string[]
  /** The field whose words tell one save from all others; of a safety measure nobody writes any. */
  words: string | null
  /** The CRM allows one record of the kind: fields of a body that name it. */
  key: readonly string[] | null
  /** What is read to learn whether a record was made: of a request, or of its list. */
  lookedForIn: 'request' | 'list'
}

export const recordKinds: Readonly<Record<PushCollection, RecordKind>> = {
  quickReports: {
    path: 'quickReport',
    content: ['outTime', 'type', 'reason1', 'reason2', 'reportContent'],
    together: ['type', 'reason1', 'reason2'],
    words: 'reportContent',
    key: ['requestId'],
    lookedForIn: 'request',
  },
  emergencyReports: {
    path: 'emergencyReport',
    content: [
      'workingStartTime',
      'workingEndTime',
      'emergencyContents',
      'risk',
      'correspondenceDate',
      'ttsStaffContact',
      'emergencyContentsDetails',
    ],
    together: [],
    words: 'emergencyContentsDetails',
    key: null,
    lookedForIn: 'list',
  },
  safetyMeasures: {
    path: 'safety',
    content: ['needFlag', 'workingStartTime', 'workingEndTime'],
    together: [],
    words: null,
    key: ['requestId', 'workingDate', 'safetyType'],
    lookedForIn: 'request',
  },
  customerLocationChangeRequests: {
    path: 'customerLocationChangeRequest',
    content: ['parkingType', 'parkingMethod', 'inMethod'],
    together: [],
    words: 'inMethod',
    key: ['requestId'],
    lookedForIn: 'request',
  },
  locationContactChangeRequests: {
    path: 'locationContactChangeRequest',
    content: ['name', 'kana', 'section', 'class', 'staffName', 'means', 'email', 'tel1'],
    together: [],
    words: 'name',
    key: ['requestId', 'type'],
    lookedForIn: 'request',
  },
  noteLocationAreas: {
    path: 'noteLocationArea',
    content: ['note'],
    together: [],
    words: 'note',
    key: null,
    lookedForIn: 'list',
  },
}

/** What a call is about, by its address. */
export interface RecordPath {
  collection: PushCollection
  /** '' for the collection itself, `requestUpdate` for several, else a record's id or, of a list, `request/{id}`. */
  rest: string
}

/** @returns null where the call is about no record that travels */
export function recordPathOf({ url }: Pick<HttpCall, 'url'>): RecordPath | null {
  const [, path, rest = ''] = /\/spa\/(\w+)\/([^?]*)/.exec(url) ?? []
  const collection = pushCollections.find((each) => recordKinds[each].path === path)
  return collection ? { collection, rest: decodeURIComponent(rest) } : null
}

/** The collection of a call that makes a record. */
export function madeBy(call: HttpCall): PushCollection | null {
  const found = call.method === 'POST' ? recordPathOf(call) : null
  return found?.rest === '' ? found.collection : null
}

/** A record that the CRM itself would make twice (RULES OC9). */
export function isUnkeyedCreate(call: HttpCall): boolean {
  const collection = madeBy(call)
  return collection !== null && recordKinds[collection].key === null
}

/** A record whose second the CRM refuses, and that says enough to be known again. */
export function isKnownAgain(call: HttpCall): boolean {
  const collection = madeBy(call)
  return collection !== null && recordKinds[collection].key !== null && recordKinds[collection].words !== null
}

/** The records that a read of one or a `PUT` is about, by their ids in the CRM. */
export function recordIdsOf(call: HttpCall): string[] {
  const { rest = '' } = recordPathOf(call) ?? {}
  if (call.method === 'POST' || rest === '' || rest.startsWith('request/')) return []
  if (rest !== 'requestUpdate') return [rest]
  const { quickReports = [] } = JSON.parse(call.body ?? '{}') as { quickReports?: { id: string }[] }
  return quickReports.map(({ id }) => id)
}

/** The CRM's content of a record, as it says it. */
export type Content = Readonly<Record<string, string | null>>

/** A record in the CRM. */
export interface Held {
  id: string
  collection: PushCollection
  /** By which the CRM allows one; '' where it allows many. */
  named: string
  requestId: string
  fields: Content
}

/** What a person saved, as the wire says it: codes of one field are joined, an absent field says nothing. */
export const contentOf = (collection: PushCollection, fields: object): Content =>
  Object.fromEntries(
    recordKinds[collection].content.map((name) => {
      const value: unknown = Reflect.get(fields, name) ?? null
      return [name, Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : null]
    }),
  )

const TIME = /^\d{4}-\d\d-\d\dT/

/** Times are the same where they name one moment, texts in whatever spelling, codes in whatever order. */
export const isSameValue = (a: string | null | undefined, b: string | null | undefined): boolean =>
  (a ?? null) === (b ?? null) ||
  (typeof a === 'string' &&
    typeof b === 'string' &&
    ((TIME.test(a) && Date.parse(a) === Date.parse(b)) || isSameText(a, b)))

const CODES = /^\d(,\d)+$/
const inOrder = (text: string) => (CODES.test(text) ? text.split(',').toSorted().join() : text)

/** Text of no more than these is spelled alike by every system. */
const SPELLED_ALIKE = /^[\w.,:+-]*$/

function isSameText(one: string, other: string): boolean {
  const [a, b] = [inOrder(one), inOrder(other)]
  if (SPELLED_ALIKE.test(a) && SPELLED_ALIKE.test(b)) return a === b
  // either may be what was sent
  return isStoredAs(a, b) || isStoredAs(b, a)
}

/** What a CRM of these storings (`support/storings.ts`) makes of what it is sent. */
export const storedBy = <B extends Content>(storings: readonly string[], sent: B): B =>
  storings.length === 0
    ? sent
    : (Object.fromEntries(
        Object.entries(sent).map(([name, value]) => [
          name,
          value === null ? null : storedValue(storings, value),
        ]),
      ) as B)

/** A day, or a moment: a store spells texts in its own way, not these. */
const DATED = /^\d{4}-\d{2}-\d{2}(?:T|$)/

function storedValue(storings: readonly string[], text: string): string {
  if (DATED.test(text)) return text
  if (CODES.test(text)) return text.split(',').toSorted().toReversed().join()
  return storings.reduce((each, name) => STORINGS[name]?.(each) ?? each, text)
}

/** Fields that a person has changed of what was shown, with those that go together. */
export function touchedOf(collection: PushCollection, shown: Content, saved: Content): string[] {
  const { content, together } = recordKinds[collection]
  const changed = content.filter((field) => !isSameValue(shown[field], saved[field]))
  return together.some((field) => changed.includes(field))
    ? content.filter((field) => changed.includes(field) || together.includes(field))
    : changed
}
