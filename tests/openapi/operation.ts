/** One call of the contract, as a row of a table; the document and the conversation with the demo CRM are made of it. */
import type { Schema } from './schema.ts'

/** Who may call: nobody is asked, the signature alone, signature and bearer token, the file store's token. */
export type Guard = 'none' | 'signed' | 'bearer' | 'fileToken'

export type Media = 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data'

export interface Query {
  name: string
  schema: Schema
  description: string
}

export interface Success {
  status: number
  description: string
  /** Absent: no body. */
  schema?: Schema
  /** It may be bytes as well. */
  bytes?: true
  /** A list with `x-total-count`. */
  counted?: true
}

export interface Operation {
  id: string
  method: 'GET' | 'POST' | 'PUT'
  /** As it is sent, with the addresses of the demo's configuration. */
  path: string
  tag: string
  summary: string
  description?: string
  guard: Guard
  query?: readonly Query[]
  body?: { media: Media; schema: Schema }
  success: Success
  /** A creating call: carries `Idempotency-Key`. */
  creates?: true
  /** Has a strong `ETag`, where the CRM has any; a `PUT` is asked for with `If-Match`. */
  tagged?: true
  /** Message keys that it is refused with, by status. */
  refusals?: Readonly<Partial<Record<202 | 400, Readonly<Record<string, string>>>>>
  /** The record that it is about may not be there. */
  missing?: true
  /** Numbers of `docs/generated/clauses.md`. */
  clauses: readonly string[]
}
