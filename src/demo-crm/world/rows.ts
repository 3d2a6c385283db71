/**
 * Types of the demo CRM's rows: what all rows have in common, and the rows that are not records (folders, files, tokens).
 * A row's id has the form `<kind>.<group>.<n>`. The group is the request, or the area, that the row belongs to.
 */

/** The origin of a row: the seed, or a call. An edit by the other company counts as a call. */
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

/** The response stored for an Idempotency-Key, if idempotency is enabled. */
interface AnswerRow {
  status: number
  body: unknown
}

/** Rows by table. Each file in `resources/` adds its own. */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface RecordRows {}
export type RecordTableName = keyof RecordRows

export interface TableRows extends RecordRows {
  folders: FolderRow
  files: FileRow
  accessTokens: TokenRow
  refreshTokens: TokenRow
  fileTokens: TokenRow
  /** Changed passwords by user name. */
  passwords: { password: string }
  answers: AnswerRow
  counters: { value: number }
}
export type TableName = keyof TableRows

/** Returns the request or location area that an id belongs to. */
export const groupOf = (id: string) => id.split('.')[1] ?? ''

/** Creates an id in a group. */
export const newId = (kind: string, group: string) => `${kind}.${group}.${crypto.randomUUID().slice(0, 13)}`

/** Returns the id of a quick report, derived from request and day because there is only one per pair (ec00011). */
export const quickReportId = (requestId: string, workingDate: string) =>
  `qr.${requestId}.${workingDate.replaceAll('-', '')}`
