/**
 * What the model CRM keeps beside quick reports: emergency reports, safety measures, change requests and notes, to the letter
 * of the contract (crm-contract 4). Where it allows one record of a kind, a second is refused; of emergency reports and notes
 * the same content posted twice makes two.
 */
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import { contentOf, recordKinds, recordPathOf, storedBy, type Content, type Held } from './record-kinds.ts'

type Kind = Exclude<PushCollection, 'quickReports'>
type Body = Record<string, string | null>

interface Row {
  id: string
  collection: Kind
  body: Body
  confirmed: boolean
}

const answer = (status: number, body: unknown = null, total: number | null = null): Answer => ({
  kind: 'answer',
  status,
  body,
  isJson: true,
  total,
  retryAfter: null,
})
const NOT_FOUND = answer(404, { error: '該当するデータがありません。' })
const refused = (key: string, status = 400) => answer(status, { errors: [key] })

/** What is said to a second one, where it is refused. */
const SECOND: Partial<Record<Kind, Answer>> = {
  safetyMeasures: refused('ec00027'),
  customerLocationChangeRequests: refused('ec00030', 202),
  locationContactChangeRequests: refused('ec00026', 202),
}
/** What the office may close to edits. */
const CLOSES: readonly Kind[] = [
  'emergencyReports',
  'customerLocationChangeRequests',
  'locationContactChangeRequests',
]
const REGISTERED = '2'
const NOT_REGISTERED = '1'

interface Options {
  /** The request is there, and this company's. */
  isThere: (requestId: string) => boolean
  tagOf: (state: object) => string | null
  honoursIfMatch: boolean
  storings: readonly string[]
}

export class ModelRecords {
  private readonly rows: Row[] = []
  private readonly options: Options
  private made = 0

  constructor(options: Options) {
    this.options = options
  }

  /** @returns null where the call is about something else */
  act(call: HttpCall): Answer | null {
    const { collection, rest } = recordPathOf(call) ?? {}
    if (!collection || rest === undefined || collection === 'quickReports') return null
    const sent = JSON.parse(call.body ?? '{}') as Body
    const body = storedBy(this.options.storings, sent)
    if (call.method === 'POST') return this.make(collection, body)
    if (rest.startsWith('request/')) return this.list(collection, rest.slice('request/'.length))
    const row = this.rows.find((each) => each.collection === collection && each.id === rest)
    if (!row || !this.isThere(row)) return NOT_FOUND
    return call.method === 'GET' ? this.read(row) : this.change(row, body, call.headers?.['If-Match'])
  }

  private isThere = ({ body }: Row) => this.options.isThere(body['requestId'] ?? '')

  private make(collection: Kind, body: Body): Answer {
    if (!this.options.isThere(body['requestId'] ?? '')) return NOT_FOUND
    const { key } = recordKinds[collection]
    const isSame = (row: Row) =>
      row.collection === collection && key?.every((field) => row.body[field] === body[field])
    const second = SECOND[collection]
    if (second && this.rows.some(isSame)) return second
    const id = `${recordKinds[collection].path}-${(this.made += 1)}`
    this.rows.push({ id, collection, body, confirmed: false })
    return answer(201, { id, name: `NAME-${id}` })
  }

  private change(row: Row, body: Body, ifMatch: string | undefined): Answer {
    const isStale = ifMatch !== undefined && ifMatch !== this.options.tagOf(this.stateOf(row))
    if (isStale && this.options.honoursIfMatch) return answer(412)
    if (row.confirmed) return refused('ec00008')
    row.body = { ...row.body, ...contentOf(row.collection, body) }
    return answer(204)
  }

  private stateOf({ id, collection, body, confirmed }: Row) {
    const type = collection === 'noteLocationAreas' ? { type: '1' } : {}
    return { ...body, ...type, id, editStatus: confirmed ? 'NG' : 'OK' }
  }

  private read(row: Row): Answer {
    const state = this.stateOf(row)
    return { ...answer(200, state), etag: this.options.tagOf(state) } as Answer
  }

  private list(collection: Kind, requestId: string): Answer {
    if (!this.options.isThere(requestId)) return NOT_FOUND
    const rows = this.of(requestId).filter((row) => row.collection === collection)
    return answer(
      200,
      rows.toReversed().map((row) => this.stateOf(row)),
      rows.length,
    )
  }

  private of = (requestId: string) => this.rows.filter(({ body }) => body['requestId'] === requestId)

  /** What the row of a request says of its records. */
  inRequest(requestId: string): object {
    const rows = this.of(requestId)
    const one = (collection: Kind, type?: string) =>
      rows.find((row) => row.collection === collection && (!type || row.body['type'] === type))
    const status = (row: Row | undefined) => (row ? REGISTERED : NOT_REGISTERED)
    const ref = (row: Row | undefined) => (row ? { id: row.id } : null)
    const parking = one('customerLocationChangeRequests')
    const [entry, exit] = ['02', '03'].map((type) => one('locationContactChangeRequests', type))
    return {
      safety: rows
        .filter(({ collection }) => collection === 'safetyMeasures')
        .map((row) => this.stateOf(row)),
      customerLocationChangeStatus: status(parking),
      customerLocationChangeRequest: ref(parking),
      inLocationContactChangeStatus: status(entry),
      inLocationContactChangeRequest: ref(entry),
      outLocationContactChangeStatus: status(exit),
      outLocationContactChangeRequest: ref(exit),
    }
  }

  held = (): Held[] =>
    this.rows
      .filter((row) => this.isThere(row))
      .map(({ id, collection, body }) => ({
        id,
        collection,
        named: recordKinds[collection].key?.map((name) => body[name]).join('_') ?? '',
        requestId: body['requestId'] ?? '',
        fields: contentOf(collection, body),
      }))

  /** The office edits a record. @param edit of what it says now, made into what it says then */
  otherEdits(id: string, edit: (held: Content) => Content): void {
    const row = this.rows.find((each) => each.id === id)
    if (row && !row.confirmed) row.body = { ...row.body, ...edit(contentOf(row.collection, row.body)) }
  }

  /** The office closes what belongs to a request. */
  confirms(requestId: string): void {
    for (const row of this.of(requestId)) row.confirmed = CLOSES.includes(row.collection)
  }
}
