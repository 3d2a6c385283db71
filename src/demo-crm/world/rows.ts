/**
 * Types of the demo CRM's rows. An id has the form `<kind>.<group>.<n>`; the group is the request or the area of the
 * row.
 */

/** Where a row comes from: the seed or a call. An edit by the other company counts as a call. */
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

/** The response that was stored for an Idempotency-Key. */
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
  passwords: { password: string }
  answers: AnswerRow
  counters: { value: number }
}
export type TableName = keyof TableRows

/** Returns the request or the location area in an id. */
export const groupOf = (id: string) => id.split('.')[1] ?? ''

export const newId = (kind: string, group: string) => `${kind}.${group}.${crypto.randomUUID().slice(0, 13)}`

/** Returns the id of a quick report. It is made from request and day, which have only one report (ec00011). */
export const quickReportId = (requestId: string, workingDate: string) =>
  `qr.${requestId}.${workingDate.replaceAll('-', '')}`
