/** What the demo CRM holds, in its own words. Ids read `<kind>.<group>.<n>`: the group is the request or the area. */

/** Where a row came from: the seed, or a call (or the other company's edit). */
interface Origin {
  origin: 'seed' | 'call'
}

export interface QuickReportRow extends Origin {
  id: string
  requestId: string
  workingDate: string
  workingDateType: string
  inTime: string
  outTime: string | null
  type: string | null
  reason1: string | null
  reason2: string | null
  reportContent: string | null
  /** Confirmed by the office: no more edits. */
  confirmed: boolean
  loginUserId: string
}

export interface EmergencyReportRow extends Origin {
  id: string
  requestId: string
  workingDate: string
  workingStartTime: string | null
  workingEndTime: string | null
  /** Comma-joined codes, as sent. */
  emergencyContents: string
  risk: string
  correspondenceDate: string
  ttsStaffContact: string
  emergencyContentsDetails: string
  createdAt: string
  name: string
  confirmed: boolean
  loginUserId: string
}

export interface SafetyRow extends Origin {
  id: string
  requestId: string
  needFlag: string
  safetyType: string
  workingDate: string
  workingStartTime: string | null
  workingEndTime: string | null
  createdAt: string
  name: string
  loginUserId: string
}

export interface CustomerLocationChangeRow extends Origin {
  id: string
  requestId: string
  parkingType: string | null
  parkingMethod: string | null
  inMethod: string
  confirmed: boolean
  loginUserId: string
}

export interface LocationContactChangeRow extends Origin {
  id: string
  requestId: string
  /** `02` entry, `03` exit. */
  type: string
  name: string
  kana: string
  section: string | null
  class: string | null
  staffName: string | null
  means: string | null
  email: string | null
  tel1: string
  confirmed: boolean
  loginUserId: string
}

export interface NoteRow extends Origin {
  id: string
  requestId: string
  locationAreaId: string
  type: string
  openFlag: string
  note: string
  createdAt: string
  name: string
  loginUserId: string
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

export interface Rows {
  quickReports: QuickReportRow
  emergencyReports: EmergencyReportRow
  safety: SafetyRow
  customerLocationChangeRequests: CustomerLocationChangeRow
  locationContactChangeRequests: LocationContactChangeRow
  notes: NoteRow
  folders: FolderRow
  files: FileRow
  accessTokens: TokenRow
  refreshTokens: TokenRow
  fileTokens: TokenRow
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
