/** 緊急報告 as it is typed and shown (spec 3, 5): pure. */
import { CorrespondenceDate, EmergencyContents, Risk, StaffContact } from '#schemas/codes.ts'
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

/** The codes of a report in words. */
export const textsOf = (content: EmergencyReportContent) => ({
  contents: content.emergencyContents.map((code) => EmergencyContents.label(code)),
  risk: content.risk.map((code) => Risk.label(code)).join('、'),
  correspondenceDate: labelOr(CorrespondenceDate, content.correspondenceDate),
  ttsStaffContact: labelOr(StaffContact, content.ttsStaffContact),
  details: content.emergencyContentsDetails ?? '',
})
