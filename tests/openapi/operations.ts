/** Every call of the contract (crm-contract 4): what the app calls on the main API. */
import { DEVICE_REPORT_LIMIT, PAGE_SIZE } from '#schemas/limits.ts'
import { CRM, done, EDIT_REFUSED, json, ok, page, paging, REST, SECURITY, whoAsks } from './calls.ts'
import { declaredOperations } from './declared-operations.ts'
import type { Operation, Query } from './operation.ts'
import { date, id, list, ref, text } from './schema.ts'

const access: Operation[] = [
  {
    id: 'check',
    method: 'GET',
    path: '/api/check',
    tag: '接続とログイン',
    summary: '接続確認',
    description:
      'API の基点の v1 を check に替えた住所。署名もトークンも付きません。どの応答も「つながる」です。',
    guard: 'none',
    success: { status: 204, description: 'つながる（ほかの状態でもよい）' },
    clauses: ['A1'],
  },
  {
    id: 'login',
    method: 'POST',
    path: `${CRM}/login`,
    tag: '接続とログイン',
    summary: 'ログイン',
    guard: 'signed',
    body: {
      media: 'application/x-www-form-urlencoded',
      schema: {
        type: 'object',
        properties: { userName: text, password: text },
        required: ['userName', 'password'],
      },
    },
    success: ok('トークンの組と利用者', ref('Login')),
    refusals: { 400: {} },
    clauses: ['A2', 'A3'],
  },
  {
    id: 'refreshToken',
    method: 'POST',
    path: `${SECURITY}/refresh-token`,
    tag: '接続とログイン',
    summary: 'トークンの更新',
    description: '更新のトークンは一度だけ使えます。新しい組を返し、古いものは無効です。',
    guard: 'signed',
    body: json({ type: 'object', properties: { refreshToken: text }, required: ['refreshToken'] }),
    success: ok('新しい組', ref('TokenPair')),
    clauses: ['A6', 'A7', 'A8'],
  },
]

const search: Query[] = [
  { name: 'supplierStaffId', schema: id, description: '担当者' },
  { name: 'workingDateFrom', schema: date, description: 'この作業日から（その日を含む、B6）' },
  { name: 'workingDateTo', schema: date, description: 'この作業日まで（その日を含む、B6）' },
  { name: 'requestCode', schema: text, description: '前方一致（B7）' },
  { name: 'locationName', schema: text, description: '部分一致（B7）' },
  { name: 'customerName', schema: text, description: '部分一致（B7）' },
  { name: 'orderFlag', schema: text, description: 'コードをコンマで区切ったもの（B7）' },
  { name: 'emergencyFlag', schema: text, description: '`1` 緊出だけ' },
  ...paging(PAGE_SIZE),
]

const reads: Operation[] = [
  {
    id: 'searchRequests',
    method: 'GET',
    path: `${REST}/request/search`,
    tag: '依頼',
    summary: '依頼の一覧',
    description:
      '一つの依頼の一つの作業日を一行とし、作業日、開始時刻、id の順に返します。goods、device、safety、underPitSurvey は省けます。',
    guard: 'bearer',
    query: search,
    success: page('依頼の行', 'RequestRow'),
    tagged: true,
    refusals: { 400: {} },
    clauses: ['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9'],
  },
  {
    id: 'readRequest',
    method: 'GET',
    path: `${REST}/request/{id}`,
    tag: '依頼',
    summary: '依頼の一日',
    description: 'workingDate がなければ、今日から先の最初の日、なければ最後の日の行です。',
    guard: 'bearer',
    query: [
      { name: 'supplierStaffId', schema: id, description: '担当者' },
      { name: 'workingDate', schema: date, description: 'この作業日の行（B12）' },
    ],
    success: ok('その行の全部', ref('Request')),
    tagged: true,
    missing: true,
    clauses: ['B10', 'B11', 'B12', 'D1', 'D11', 'D13', 'D15', 'F2'],
  },
  {
    id: 'listPastReports',
    method: 'GET',
    path: `${REST}/report/{deviceId}`,
    tag: '過去の報告と担当者',
    summary: '機器の過去の報告',
    guard: 'bearer',
    query: [whoAsks, ...paging(DEVICE_REPORT_LIMIT)],
    success: page('新しい順。一つもなければ 404', 'PastReport'),
    tagged: true,
    missing: true,
    clauses: ['B13'],
  },
  {
    id: 'listSupplierStaff',
    method: 'GET',
    path: `${REST}/supplierStaff/{supplierId}`,
    tag: '過去の報告と担当者',
    summary: '会社の担当者',
    guard: 'bearer',
    query: [whoAsks],
    success: ok('担当者', list(ref('SupplierStaff'))),
    tagged: true,
    missing: true,
    clauses: ['B15'],
  },
]

const quickReports: Operation[] = [
  {
    id: 'enterQuickReport',
    method: 'POST',
    path: `${REST}/quickReport/`,
    tag: '入退館報告',
    summary: '入館の登録',
    guard: 'bearer',
    body: json(ref('QuickReportEntry')),
    success: ok('登録した', ref('QuickReportMade')),
    creates: true,
    missing: true,
    refusals: { 400: { ec00011: '同じ依頼の同じ日の入館がもうある' } },
    clauses: ['D1', 'D2', 'E4', 'F3'],
  },
  {
    id: 'exitQuickReports',
    method: 'PUT',
    path: `${REST}/quickReport/requestUpdate`,
    tag: '入退館報告',
    summary: '退館の登録（一つ、または幾つか）',
    description: '挙げたすべてに登録するか、一つにも登録しないか、です。',
    guard: 'bearer',
    body: json(ref('QuickReportExit')),
    success: done,
    missing: true,
    refusals: {
      400: { ...EDIT_REFUSED, ec00012: '作業日から 7 日を過ぎた', ec00013: 'quickReports が空' },
    },
    clauses: ['D5', 'F3'],
  },
  {
    id: 'readQuickReport',
    method: 'GET',
    path: `${REST}/quickReport/{id}`,
    tag: '入退館報告',
    summary: '入退館報告',
    guard: 'bearer',
    success: ok('報告', ref('QuickReport')),
    tagged: true,
    missing: true,
    clauses: ['D6', 'F2'],
  },
  {
    id: 'editQuickReport',
    method: 'PUT',
    path: `${REST}/quickReport/{id}`,
    tag: '入退館報告',
    summary: '入退館報告の編集',
    description: '全部を置き換えます：ない項目は null です。inTime だけは、なければそのままです（D4）。',
    guard: 'bearer',
    body: json(ref('QuickReportEdit')),
    success: done,
    tagged: true,
    missing: true,
    refusals: { 400: { ...EDIT_REFUSED, ec00012: '作業日から 7 日を過ぎた' } },
    clauses: ['D3', 'D4', 'D7', 'D8', 'H5', 'H6'],
  },
]

export const mainOperations: Operation[] = [...access, ...reads, ...quickReports, ...declaredOperations]
