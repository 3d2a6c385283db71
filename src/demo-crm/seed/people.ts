/** People of the seed: users who can log in, and staff of other companies. All names are fictional. */
export interface DemoUser {
  id: string
  userName: string
  userFlag: number
  loginUserName: string
  company: string
  supplierId?: string
  supplierStaffId?: string
}

export const DEMO_PASSWORD = 'password'
const OWN_SUPPLIER = 'sp-01'
const companies = { tts: 'TTS', own: '株式会社湾岸設備', sub: '有限会社三島工業' }

const internal = (flag: number, loginUserName: string): DemoUser => ({
  id: `u-${1000 + flag}`,
  userName: `demo${flag}`,
  userFlag: flag,
  loginUserName,
  company: companies.tts,
})

const staff = (flag: number, loginUserName: string, company: string): DemoUser => ({
  ...internal(flag, loginUserName),
  company,
  supplierId: OWN_SUPPLIER,
  supplierStaffId: `ss-${2000 + flag}`,
})

export const users: readonly DemoUser[] = [
  internal(1, '山田 隆'),
  internal(2, '高橋 直人'),
  internal(3, '中村 亮'),
  internal(4, '小林 由美'),
  staff(5, '大西 修', companies.own),
  staff(6, '佐々木 翔', companies.own),
  staff(7, '松本 大輔', companies.sub),
  staff(8, '井上 恵', companies.own),
  internal(9, '渡辺 誠'),
]

/** Staff of companies other than the users', who write notes and edit records. They cannot log in. */
export const others: readonly DemoUser[] = [
  ['ss-3001', '石井 健太', '東都ポンプ工業株式会社'],
  ['ss-3002', '森田 剛', '日野立駐サービス株式会社'],
  ['ss-3003', '岡本 千尋', '株式会社城東水道センター'],
].map(([id = '', loginUserName = '', company = '']) => ({
  id,
  userName: id,
  userFlag: 6,
  loginUserName,
  company,
  supplierId: `sp-${id.slice(-2)}-o`,
  supplierStaffId: id,
}))

export const userByName = (userName: string) => users.find((user) => user.userName === userName)
/** Returns the `loginUserId` of a user (crm-contract 2). */
export const staffIdOf = (user: DemoUser) => user.supplierStaffId ?? user.id

/** Returns company and name of the user with this `loginUserId`; the id itself if it is unknown. */
export function displayName(loginUserId: string): string {
  const user = [...users, ...others].find((one) => staffIdOf(one) === loginUserId || one.id === loginUserId)
  return user ? `${user.company}　${user.loginUserName}` : loginUserId
}
