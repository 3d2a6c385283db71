/**
 * The code tables of spec 3 that the app uses. A code for which the specification gives no label is shown as it is. The
 * configuration can give the labels of a pit survey (`CodeLabels`). The OpenAPI document also lists the other tables
 * (`tests/openapi/other-codes.ts`).
 */
import { codeTable, type Code } from './code-table.ts'

export const UserFlag = codeTable({
  systemAdministrator: ['1', 'システム管理者'],
  sales: ['2', '営業'],
  engineering: ['3', '技術'],
  generalAffairs: ['4', '総務'],
  externalManager: ['5', '社外管理者'],
  externalStaff: ['6', '社外一般社員'],
  subcontractor: ['7', '社外孫請け業者'],
  externalOffice: ['8', '社外事務'],
  tse: ['9', 'TSE'],
})

export const ParkingType = codeTable({ onSite: ['1', '現場駐車場'], nearby: ['2', '近隣駐車場'] })

/** `type` of a contact change request in the CRM (spec 9). */
export const ContactType = codeTable({ entry: ['02', '入館連絡先'], exit: ['03', '退館連絡先'] })

/** Whether a request already has a record of a certain kind, such as a change request (crm-contract 4). */
export const RegistrationStatus = codeTable({
  unregistered: ['1', '未登録'],
  registered: ['2', '登録済'],
  notAllowed: ['3', '登録不可'],
})

export const EmergencyContents = codeTable({
  hygiene: ['1', '衛生面'],
  equipment: ['2', '機器面'],
  safety: ['3', '安全面'],
  complaint: ['4', '苦情・クレーム'],
})
export const CorrespondenceDate = codeTable({
  sameDay: ['1', '当日'],
  nextDay: ['2', '翌日'],
  withinThreeDays: ['3', '3日以内'],
})
export const StaffContact = codeTable({ notYet: ['1', '未連絡'], done: ['2', '連絡済'] })
export const Risk = codeTable({
  accident: ['1', '人身・物損事故'],
  damages: ['2', '損害賠償'],
  flooding: ['3', '冠水・水没'],
  hygiene: ['4', '衛生問題'],
  noise: ['5', '騒音問題'],
  waterOutage: ['6', '断水'],
  complaint: ['7', '顧客クレーム'],
  situation: ['8', '状況報告'],
})
export const EmergencyFlag = codeTable({ emergency: ['1', '緊出'] })
export const NoteOpenFlag = codeTable({ open: ['1', '公開'], closed: ['2', '非公開'] })
export const NoteType = codeTable({ request: ['1', '依頼'], site: ['2', '現場'] })

export const QuickReportType = codeTable({
  completed: ['1', '作業完了'],
  incomplete: ['2', '作業未完了'],
  cancelled: ['3', '中止・延期'],
})
export type QuickReportType = Code<typeof QuickReportType>

/** 残作業の理由: why the work is unfinished. */
export const Reason1 = codeTable({
  weather: ['1', '悪天候'],
  ttsArrangement: ['2', 'TTS手配ミス'],
  supplierArrangement: ['3', '協力業者手配ミス'],
  lateStart: ['4', '時間超過(開始遅れ)'],
  lateWork: ['5', '時間超過(作業遅れ)'],
  dayDone: ['6', '当日作業分完了'],
})
/** 中止・延期の理由: why the work was cancelled or postponed. */
export const Reason2 = codeTable({
  weather: ['1', '悪天候'],
  noSchedule: ['2', '日程連絡無し'],
  noNotice: ['3', '案内掲示無し'],
  different: ['4', '状況が異なる'],
  traffic: ['5', '交通障害'],
  other: ['99', 'その他'],
})

/** Kinds of orders with their full names (spec 3, order flags 1–8). */
export const OrderFlag = codeTable({
  repair: ['1', '修理'],
  replacement: ['2', '取替工事'],
  construction: ['3', '工事'],
  survey: ['4', '工事調査'],
  suppliedGoods: ['5', '物販（有償支給）'],
  goods: ['6', '物販'],
  maintenance: ['7', '保守'],
  maintenanceBilling: ['8', '保守（請求）'],
})

/** Short names of the order flags in rows and filters (spec 3). */
export const OrderFlagName = codeTable({
  repair: ['1', '修理'],
  replacement: ['2', '取替'],
  construction: ['3', '工事'],
  survey: ['4', '調査'],
  maintenance: ['7', '保守'],
})
export const NotificationDistribution = codeTable({
  tts: ['1', 'TTS'],
  supplier: ['2', '協力業者'],
  customer: ['3', 'お客様'],
})
export const SafetyDirection = codeTable({
  underPit: ['1', '地下ピット'],
  standingParking: ['2', '立駐機'],
  height: ['3', '高所'],
  oxygen: ['4', '酸欠'],
  entanglement: ['5', '巻き込まれ'],
  none: ['6', '安全指示書なし'],
  unknown: ['7', '不明'],
})
export const SafetyNeedFlag = codeTable({ needed: ['1', '必要'], unnecessary: ['2', '不要'] })
export const SafetyType = codeTable({
  underPit: ['1', '地下ピット'],
  standingParking: ['2', '立駐機'],
  height: ['3', '高所'],
  oxygen: ['4', '酸欠'],
  entanglement: ['5', '巻き込まれ'],
})
/** `safetyStatus` of a request (crm-contract 4). */
export const SafetyStatus = codeTable({
  unnecessary: ['0', '不要'],
  unregistered: ['1', '未登録'],
  partly: ['2', '一部登録'],
  registered: ['3', '登録済'],
})

export const PitDepth = codeTable({ unknown: ['1', '不明'], shallow: ['2', '2m未満'], deep: ['3', '2m以上'] })
export const PitTraffic = codeTable({ present: ['1', '有'], absent: ['2', '無'] })
