/** What the rows of the demo CRM have in common, and those that are no record's. Ids read `<kind>.<group>.<n>`: the group is the request or the area. */

/** Where a row came from: the seed, or a call (or the other company's edit). */
export interface OfOrigin {
  origin: 'seed' | 'call'
}

export interface FolderRow {
  id: string
  parentId: string
  name: string
}

export interface FileRow {
  file_seq: string
  folderId: string
  name: string
  size: number
  sha256: string
  contentType: string
}

interface TokenRow {
  userName: string
  /** Epoch ms. */
  expiresAt: number
}

/** The answer kept for an Idempotency-Key, where the CRM honours it. */
interface AnswerRow {
  status: number
  body: unknown
}

/** By table: each file of `resources/` adds its own. */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface RecordRows {}
export type RecordTableName = keyof RecordRows

export interface Rows extends RecordRows {
  folders: FolderRow
  files: FileRow
  accessTokens: TokenRow
  refreshTokens: TokenRow
  fileTokens: TokenRow
  /** Where it is another than the demo's, by user name. */
  passwords: { password: string }
  answers: AnswerRow
  counters: { value: number }
}
export type TableName = keyof Rows

/** The request or location area that an id belongs to. */
export const groupOf = (id: string) => id.split('.')[1] ?? ''

/** A new id in a group. */
export const newId = (kind: string, group: string) => `${kind}.${group}.${crypto.randomUUID().slice(0, 13)}`

/** One quick report for each request and day (ec00011), so its id follows from them. */
export const quickReportId = (requestId: string, workingDate: string) =>
  `qr.${requestId}.${workingDate.replaceAll('-', '')}`
