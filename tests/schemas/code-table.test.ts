import { describe, expect, test } from 'vitest'
import { codeSchema } from '#schemas/declare/derive.ts'
import { codeTable } from '#schemas/code-table.ts'
import * as appCodes from '#schemas/codes.ts'
import * as orderFlags from '#schemas/resources/request-search.ts'
import * as otherCodes from '../openapi/other-codes.ts'

const codes = { ...appCodes, ...otherCodes }

interface Table {
  code: Readonly<Record<string, string>>
  options: readonly { code: string; label: string }[]
  label: (code: string) => string
  has: (code: unknown) => code is string
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && 'options' in value && 'label' in value

const tables = Object.entries(codes as Record<string, unknown>).filter((entry): entry is [string, Table] =>
  isTable(entry[1]),
)

test('every code table of the modules is looked at', () => {
  expect(tables.map(([name]) => name)).toEqual(
    expect.arrayContaining(['UserFlag', 'QuickReportType', 'Reason1', 'Reason2', 'OrderFlag', 'Prefecture']),
  )
  expect(tables.length).toBeGreaterThan(35)
})

describe.each(tables)('[spec 3] %s', (_, table) => {
  const list = table.options.map(({ code }) => code)

  test('each code stands for one thing', () => {
    expect(list.length).toBeGreaterThan(0)
    expect(new Set(list).size).toBe(list.length)
    expect(new Set(Object.values(table.code))).toEqual(new Set(list))
  })

  test('each label can be read, and no two are the same', () => {
    const labels = table.options.map(({ label }) => label)
    for (const label of labels) expect(label).toMatch(/^\S(.*\S)?$/)
    expect(new Set(labels).size).toBe(labels.length)
  })

  test('codes are parsed as the text they travel as, and nothing else is', () => {
    const schema = codeSchema(table)
    for (const { code, label } of table.options) {
      expect(schema.allows(code)).toBe(true)
      expect(table.has(code)).toBe(true)
      expect(table.label(code)).toBe(label)
      expect(schema.allows(Number(code))).toBe(false)
    }
    for (const wrong of ['', '98', null]) expect(schema.allows(wrong as never)).toBe(false)
  })
})

/** The tables of spec 3, letter by letter. A code alone has no label in the specification. */
const SPEC: Readonly<Record<keyof typeof codes, string>> = {
  UserFlag:
    '1 システム管理者, 2 営業, 3 技術, 4 総務, 5 社外管理者, 6 社外一般社員, 7 社外孫請け業者, 8 社外事務, 9 TSE',
  YesFlag: '1 Yes, 0 No',
  YesNo: '1 Yes, 2 No',
  DisableFlag: '0 有効, 1 無効',
  AriStatus: '3 有, 2 無',
  ParkingType: '1 現場駐車場, 2 近隣駐車場',
  ChangeRequestStatus: '1 未, 2 済, 3 却下',
  ContactChangeType: '1 入館連絡先, 2 退館連絡先',
  ContactType: '02 入館連絡先, 03 退館連絡先',
  RegistrationStatus: '1 未登録, 2 登録済, 3 登録不可',
  WorkingDateType: '1 作業日, 2 作業日2, 3 作業日3, 4 作業日4, 5 作業日5, 6 作業日6, 7 実施工程',
  EmergencyContents: '1 衛生面, 2 機器面, 3 安全面, 4 苦情・クレーム',
  CorrespondenceDate: '1 当日, 2 翌日, 3 3日以内',
  StaffContact: '1 未連絡, 2 連絡済',
  ConfirmationStatus: '1 未完了, 2 完了, 9 差戻し',
  ConfirmationFlag: '1 確認済',
  Risk: '1 人身・物損事故, 2 損害賠償, 3 冠水・水没, 4 衛生問題, 5 騒音問題, 6 断水, 7 顧客クレーム, 8 状況報告',
  EmergencyFlag: '1 緊出',
  NoteOpenFlag: '1 公開, 2 非公開',
  NoteType: '1 依頼, 2 現場',
  QuickReportType: '1 作業完了, 2 作業未完了, 3 中止・延期',
  Reason1:
    '1 悪天候, 2 TTS手配ミス, 3 協力業者手配ミス, 4 時間超過(開始遅れ), 5 時間超過(作業遅れ), 6 当日作業分完了',
  Reason2: '1 悪天候, 2 日程連絡無し, 3 案内掲示無し, 4 状況が異なる, 5 交通障害, 99 その他',
  ReportStatus: '1 未作成, 2 作成中, 3 確定待ち, 4 確定',
  ReportCategory: '1 定期点検, 2 清掃, 3 点検, 4 修理, 5 取替',
  RequestDateStatus: '1 未定, 2 確定待ち, 3 確定, 4 キャンセル, 5 完了',
  OrderFlag: '1 修理, 2 取替工事, 3 工事, 4 工事調査, 5 物販（有償支給）, 6 物販, 7 保守, 8 保守（請求）',
  OrderFlagName: '1 修理, 2 取替, 3 工事, 4 調査, 7 保守',
  NotificationDistribution: '1 TTS, 2 協力業者, 3 お客様',
  SafetyDirection: '1 地下ピット, 2 立駐機, 3 高所, 4 酸欠, 5 巻き込まれ, 6 安全指示書なし, 7 不明',
  SafetyNeedFlag: '1 必要, 2 不要',
  SafetyType: '1 地下ピット, 2 立駐機, 3 高所, 4 酸欠, 5 巻き込まれ',
  SafetyStatus: '0 不要, 1 未登録, 2 一部登録, 3 登録済',
  ApproveAuthority: '1 担当者, 2 部門長, 3 所属長, 4 部門長かつ所属長',
  CurrentFlag: '1 在籍, 2 退職・休職・離籍',
  Post: '1 社長, 2, 3, 4, 5, 6, 7, 8, 9 GL',
  SupplierType: '1, 2, 3, 4',
  SupplierRankFlag: '1 点検・修理・取替, 2 工事',
  Investigation: '1, 2, 3, 4, 5, 6, 7, 8, 9 ×',
  SupplierRank: '1, 2, 3, 4, 5',
  SubcontractorTier: '1, 2, 3',
  SocialInsurance: '1 加入, 2 未加入, 3 適用除外',
  PitDepth: '1 不明, 2 2m未満, 3 2m以上',
  PitTraffic: '1 有, 2 無',
  PitSite: Array.from({ length: 13 }, (_, at) => at + 1).join(', '),
  PitHatch: '1, 2, 3',
  PitStepladder: '1, 2, 3, 4',
  Prefecture:
    '1 北海道, 2 青森県, 3 岩手県, 4 宮城県, 5 秋田県, 6 山形県, 7 福島県, 8 茨城県, 9 栃木県, 10 群馬県, 11 埼玉県, 12 千葉県, 13 東京都, 14 神奈川県, 15 新潟県, 16 富山県, 17 石川県, 18 福井県, 19 山梨県, 20 長野県, 21 岐阜県, 22 静岡県, 23 愛知県, 24 三重県, 25 滋賀県, 26 京都府, 27 大阪府, 28 兵庫県, 29 奈良県, 30 和歌山県, 31 鳥取県, 32 島根県, 33 岡山県, 34 広島県, 35 山口県, 36 徳島県, 37 香川県, 38 愛媛県, 39 高知県, 40 福岡県, 41 佐賀県, 42 長崎県, 43 熊本県, 44 大分県, 45 宮崎県, 46 鹿児島県, 47 沖縄県, 99 その他',
}

const written = ({ options }: Pick<Table, 'options'>) =>
  options.map(({ code, label }) => (label === code ? code : `${code} ${label}`)).join(', ')

test.each(tables)('[spec 3] %s to the letter', (name, table) => {
  expect(written(table)).toBe(Reflect.get(SPEC, name))
})

describe('[spec 3] the codes themselves', () => {
  test.each([
    ['2', '取替'],
    ['4', '調査'],
    ['5', '物販（有償支給）'],
    ['8', '保守（請求）'],
    ['42', '42'],
  ])('an order with flag %s is shown as %s', (flag, label) => {
    expect(orderFlags.orderFlagLabel(flag)).toBe(label)
  })
})

test('a code nobody knows is shown as it is, never hidden', () => {
  const table = codeTable({ one: ['1', '一'] })
  expect(table.label('8')).toBe('8')
  expect(table.has('8')).toBe(false)
  expect(table.has(1)).toBe(false)
})
