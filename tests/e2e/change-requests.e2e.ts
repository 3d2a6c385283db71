import type { APIRequestContext } from '@playwright/test'
import { expectNoViolations } from './axe.ts'
import { expect, readyForOffline, test, type Crm } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

interface ChangeState {
  today: string
  requests: {
    id: string
    workingDate: string
    customerLocationChangeStatus: string
    inLocationContactChangeStatus: string
    ttsOrder: { locationArea: { name: string } }
  }[]
  customerLocationChangeRequests: object[]
  locationContactChangeRequests: object[]
}

const stateOf = async (request: APIRequestContext): Promise<ChangeState> =>
  (await request.get('/__demo/state')).json()

/** A request of today that both change requests may be made for. */
async function openRequest(request: APIRequestContext) {
  const { requests, today } = await stateOf(request)
  const row = requests.find(
    ({ workingDate, customerLocationChangeStatus, inLocationContactChangeStatus }) =>
      workingDate === today && customerLocationChangeStatus === '1' && inLocationContactChangeStatus === '1',
  )
  if (!row) throw new Error('no request of today is open')
  return row
}

const writes = async (crm: Crm, path: string) =>
  (await crm.calls())
    .filter((call) => call.method !== 'GET' && call.path.includes(`/${path}/`))
    .map(({ method }) => method)

test('[screens /customerLocationChangeRequest] registered, edited, and not edited without signal', async ({
  crm,
  phone,
  request,
}) => {
  const { page } = phone
  await phone.signIn()
  await readyForOffline(page)
  const row = await openRequest(request)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await page.getByRole('link', { name: /^入館・駐車場情報変更依頼/ }).click()
  // the form opens with what is registered
  await page.getByLabel('入館方法').fill('')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('入館方法は必須です')).toBeVisible()
  await expectNoViolations(page, '入館・駐車場情報変更依頼登録')
  await page.getByLabel('駐車場区分').selectOption('近隣駐車場')
  await page.getByLabel('入館方法').fill('裏口から入館')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('正常に保存されました')).toBeVisible()
  await page.getByRole('link', { name: /^入館・駐車場情報変更依頼.*登録済/ }).click()
  await expect(page.getByText('近隣駐車場')).toBeVisible()
  await expectNoViolations(page, '入館・駐車場情報変更依頼詳細')
  await expect.poll(() => writes(crm, 'customerLocationChangeRequest')).toEqual(['POST'])

  await page.getByRole('link', { name: '編集' }).click()
  await page.getByLabel('入館方法').fill('正面入口から入館')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('正面入口から入館')).toBeVisible()
  await expect.poll(() => writes(crm, 'customerLocationChangeRequest')).toEqual(['POST', 'PUT'])

  await page.getByRole('link', { name: '編集' }).click()
  await page.getByLabel('入館方法').fill('電波のないところで')
  await phone.offline(true)
  await expect(page.getByText('電波がないため、編集を保存できません')).toBeVisible()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: '403 Forbidden' })).toBeVisible()
  await phone.offline(false)

  const { customerLocationChangeRequests } = await stateOf(request)
  expect(
    customerLocationChangeRequests.filter((made) => 'requestId' in made && made.requestId === row.id),
  ).toMatchObject([{ parkingType: '2', inMethod: '正面入口から入館', origin: 'call' }])
  expect(await writes(crm, 'customerLocationChangeRequest')).toEqual(['POST', 'PUT'])
  expect(phone.errors).toEqual([])
})

test('[screens /locationContactChangeRequest] typed full-width, the signal gone, sent once when it is back', async ({
  crm,
  phone,
  request,
}) => {
  const { page } = phone
  await phone.signIn()
  const row = await openRequest(request)
  await readyForOffline(page)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await page.getByRole('link', { name: /^入館連絡先変更依頼/ }).click()
  await page.getByLabel('入館連絡先名').fill('防災センター')
  await page.getByLabel('入館連絡先フリガナ').fill('ボウサイセンター')
  await phone.offline(true)
  await expect(page.getByText('電波がないため、端末に保存して後で送信します')).toBeVisible()
  await page.getByLabel('電話番号').fill('０３ー５５５０ー０１９９')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
  await expect(page.getByRole('link', { name: /^入館連絡先変更依頼.*待機/ })).toBeVisible()
  await page.getByRole('link', { name: '未送信 1件' }).click()
  await page.getByRole('button', { name: '内容を開く' }).click()
  await expect(page.getByRole('heading', { name: '入館連絡先変更依頼編集' })).toBeVisible()
  await expect(page.getByLabel('入館連絡先フリガナ')).toHaveValue('ﾎﾞｳｻｲｾﾝﾀｰ')
  await expectNoViolations(page, '入館連絡先変更依頼編集')

  await phone.offline(false)
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  const { locationContactChangeRequests } = await stateOf(request)
  expect(
    locationContactChangeRequests.filter((made) => 'requestId' in made && made.requestId === row.id),
  ).toMatchObject([
    { type: '02', name: '防災センター', kana: 'ﾎﾞｳｻｲｾﾝﾀｰ', tel1: '03-5550-0199', origin: 'call' },
  ])
  expect(await writes(crm, 'locationContactChangeRequest')).toEqual(['POST'])
  expect(phone.errors).toEqual([])
})

test('[screens /error-logs] an answer nobody expects is in the report that is sent', async ({
  crm,
  phone,
  request,
}) => {
  const { page } = phone
  await phone.signIn()
  await page.goto('/settings')
  await page.getByRole('link', { name: 'エラーレポート' }).click()
  await expect(page.getByText('エラーレポートを送信する必要はありません。')).toBeVisible()
  await page.goto('/settings')
  const refresh = page.getByRole('button', { name: 'データを今すぐ更新' })
  await expect(refresh).toBeVisible()
  // not before: the page that is left would have the answer, and no time to note it
  await crm.faults([{ id: 'once', kind: 'status', status: 500, path: 'request/search', count: 1 }])
  await refresh.click()
  // whoever leaves the page before it has noted the answer has nothing to report
  await page.getByRole('link', { name: /^エラーレポート（\d+件）$/ }).click()
  await expect(page.getByRole('button', { name: 'エラーレポートを送信' })).toBeVisible()
  await expectNoViolations(page, 'エラーレポート')
  await page.getByRole('button', { name: 'エラーレポートを送信' }).click()
  await expect(page.getByText('エラーレポートを送信しました。')).toBeVisible()
  await expect(page.getByText('エラーレポートを送信する必要はありません。')).toBeVisible()
  const { files } = (await (await request.get('/__demo/state')).json()) as {
    files: { folderId: string; name: string }[]
  }
  expect(files.filter(({ folderId }) => folderId === 'error-logs')).toHaveLength(1)
})
