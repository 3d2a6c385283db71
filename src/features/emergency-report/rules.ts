/** 緊急報告 as it is typed and shown (spec 3, 5): pure. */
import { CorrespondenceDate, EmergencyContents, Risk, StaffContact } from '#schemas/codes.ts'
import type { FieldValue } from '#schemas/change-history.ts'
import type { EmergencyReportContent } from '#schemas/emergency-report.ts'

/** The form as it is typed: nothing chosen is [] or ''. */
export interface EmergencyInput {
  emergencyContents: string[]
  risk: string[]
  correspondenceDate: string
  ttsStaffContact: string
  emergencyContentsDetails: string
}

export const inputOf = (content: Partial<EmergencyReportContent> = {}): EmergencyInput => ({
  emergencyContents: content.emergencyContents ?? [],
  risk: content.risk ?? [],
  correspondenceDate: content.correspondenceDate ?? '',
  ttsStaffContact: content.ttsStaffContact ?? '',
  emergencyContentsDetails: content.emergencyContentsDetails ?? '',
})

const labelOr = (table: { label(code: string): string }, code: string | null) =>
  code === null ? null : table.label(code)

const TABLES: Record<string, { label(code: string): string }> = {
  emergencyContents: EmergencyContents,
  risk: Risk,
  correspondenceDate: CorrespondenceDate,
  ttsStaffContact: StaffContact,
}

/** A field of a report in words. */
export function fieldText(field: string, value: FieldValue): string {
  const texts = Array.isArray(value) ? value : typeof value === 'string' && value !== '' ? [value] : []
  return texts.map((text) => TABLES[field]?.label(text) ?? text).join('、')
}

/** The codes of a report in words. */
export const textsOf = (content: EmergencyReportContent) => ({
  contents: content.emergencyContents.map((code) => EmergencyContents.label(code)),
  risk: content.risk.map((code) => Risk.label(code)).join('、'),
  correspondenceDate: labelOr(CorrespondenceDate, content.correspondenceDate),
  ttsStaffContact: labelOr(StaffContact, content.ttsStaffContact),
  details: content.emergencyContentsDetails ?? '',
})
