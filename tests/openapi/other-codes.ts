/** The code tables of spec 3 that only the contract names: the app itself uses none of them. */
import { codeTable } from '#schemas/code-table.ts'

/**
 * A table of the codes 1 to `last`.
 * @param labels labels by code; or one text with the labels in the order of the codes, separated by blanks
 */
function codesUpTo(
  last: number,
  labels: Readonly<Record<number, string>> | string = {},
  more: Readonly<Record<number, string>> = {},
) {
  const codes = [...Array.from({ length: last }, (_, i) => i + 1), ...Object.keys(more).map(Number)]
  const known = typeof labels === 'string' ? ['', ...labels.split(' ')] : labels
  const label = (code: number) => more[code] ?? known[code] ?? String(code)
  return codeTable(
    Object.fromEntries(codes.map((code) => [`code${code}`, [String(code), label(code)] as const])),
  )
}

export const YesFlag = codeTable({ yes: ['1', 'Yes'], no: ['0', 'No'] })
export const YesNo = codeTable({ yes: ['1', 'Yes'], no: ['2', 'No'] })
export const DisableFlag = codeTable({ enabled: ['0', '有効'], disabled: ['1', '無効'] })
export const AriStatus = codeTable({ present: ['3', '有'], absent: ['2', '無'] })
export const ChangeRequestStatus = codeTable({
  open: ['1', '未'],
  done: ['2', '済'],
  rejected: ['3', '却下'],
})
export const ContactChangeType = codeTable({ entry: ['1', '入館連絡先'], exit: ['2', '退館連絡先'] })
export const WorkingDateType = codeTable({
  day1: ['1', '作業日'],
  day2: ['2', '作業日2'],
  day3: ['3', '作業日3'],
  day4: ['4', '作業日4'],
  day5: ['5', '作業日5'],
  day6: ['6', '作業日6'],
  process: ['7', '実施工程'],
})
export const ConfirmationStatus = codeTable({
  incomplete: ['1', '未完了'],
  complete: ['2', '完了'],
  returned: ['9', '差戻し'],
})
export const ConfirmationFlag = codeTable({ confirmed: ['1', '確認済'] })
export const ReportStatus = codeTable({
  notCreated: ['1', '未作成'],
  drafting: ['2', '作成中'],
  waiting: ['3', '確定待ち'],
  fixed: ['4', '確定'],
})
export const ReportCategory = codeTable({
  periodic: ['1', '定期点検'],
  cleaning: ['2', '清掃'],
  inspection: ['3', '点検'],
  repair: ['4', '修理'],
  replacement: ['5', '取替'],
})
export const RequestDateStatus = codeTable({
  undecided: ['1', '未定'],
  waiting: ['2', '確定待ち'],
  fixed: ['3', '確定'],
  cancelled: ['4', 'キャンセル'],
  completed: ['5', '完了'],
})
export const ApproveAuthority = codeTable({
  person: ['1', '担当者'],
  department: ['2', '部門長'],
  section: ['3', '所属長'],
  both: ['4', '部門長かつ所属長'],
})
export const CurrentFlag = codeTable({ enrolled: ['1', '在籍'], left: ['2', '退職・休職・離籍'] })
export const Post = codesUpTo(9, { 1: '社長', 9: 'GL' })
export const SupplierType = codesUpTo(4)
export const SupplierRankFlag = codeTable({ service: ['1', '点検・修理・取替'], construction: ['2', '工事'] })
/** The codes 1 to 8 are cities, whose names the specification does not give. */
export const Investigation = codesUpTo(9, { 9: '×' })
export const SupplierRank = codesUpTo(5)
export const SubcontractorTier = codesUpTo(3)
export const SocialInsurance = codeTable({
  joined: ['1', '加入'],
  notJoined: ['2', '未加入'],
  exempt: ['3', '適用除外'],
})
export const PitSite = codesUpTo(13)
export const PitHatch = codesUpTo(3)
export const PitStepladder = codesUpTo(4)
/** The codes 1 to 47 in the standard order (JIS X 0401). */
export const Prefecture = codesUpTo(
  47,
  '北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 ' +
    '千葉県 東京都 神奈川県 新潟県 富山県 石川県 福井県 山梨県 長野県 岐阜県 静岡県 ' +
    '愛知県 三重県 滋賀県 京都府 大阪府 兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 ' +
    '広島県 山口県 徳島県 香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 ' +
    '宮崎県 鹿児島県 沖縄県',
  { 99: 'その他' },
)
