import { waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { CONTACT, storeContact } from '../../support/change-records.ts'
import { kinds, openContact } from './open-contact.tsx'
import { storeView, viewIn } from '../../support/stored-views.ts'

const [entry] = kinds
const NOT_POSSIBLE =
  '連絡先を登録できません。依頼に連絡先がないか、登録済・登録不可、または未反映の変更依頼があります。'

describe.each(kinds)('[screens /locationContactChangeRequest] $role', (kind) => {
  const { role, contactType, type } = kind

  test('登録: every field is saved, says so, and leads to the request', async () => {
    const { screen, fill, save, saved, href, flash } = await openContact('add', kind)
    expect(await screen.findByRole('heading', { level: 1, name: `${role}変更依頼登録` })).toBeTruthy()
    await fill(`${role}名`, '防災センター')
    await fill(`${role}フリガナ`, 'ボウサイセンター')
    await fill('部署', '設備管理課')
    await fill('役職', '課長')
    await fill('担当者名', '佐藤')
    await fill('連絡手段', '代表電話')
    await fill('メールアドレス', 'ｋａｎｒｉ＠example.jp')
    await fill('電話番号', '０３ー５５５０ー０１９９')
    await save()
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(await saved()).toMatchObject({ kind: 'create', fields: CONTACT })
    expect(flash()).toMatchObject({ mode: 'info', text: '保存しました。送信中です' })
  })

  test('[decisions/forms] 登録: opens with the contact of today, and unchanged it is not saved', async () => {
    const request = { inLocationContact: CONTACT, outLocationContact: CONTACT }
    const { screen, fill, save, saved } = await openContact('add', kind, { request })
    await screen.findByText('現在の登録内容を入れてあります。変更するところを直してください。')
    const values = [...document.querySelectorAll('input')].map(({ value }) => value)
    expect(values).toEqual(Object.values(CONTACT))
    await save()
    expect((await screen.findByRole('alert')).textContent).toBe('変更したところがありません')
    expect(await saved()).toBeUndefined()
    await fill('電話番号', '03-5550-0200')
    await save()
    await waitFor(async () => expect((await saved())?.fields).toEqual({ ...CONTACT, tel1: '03-5550-0200' }))
  })

  test('登録: 担当者名 suggests the staff that the device has', async () => {
    const staff = (key: string, name: string) => ({ key, name, supplierId: 'p1', userFlag: '6' })
    const { screen } = await openContact('add', kind, {
      fill: (db) => db.supplierStaff.bulkUpsert([staff('2', '大西 修'), staff('1', '石井 健太')]),
    })
    const field = await screen.findByLabelText<HTMLInputElement>('担当者名')
    await waitFor(() =>
      expect([...(field.list?.options ?? [])].map(({ value }) => value)).toEqual(['大西 修', '石井 健太']),
    )
  })

  test('登録: a submit with nothing names what is required, in the order of the form, and focuses it', async () => {
    const { screen, save, saved } = await openContact('add', kind)
    await save()
    for (const name of [`${role}名`, `${role}フリガナ`, '電話番号'])
      expect(await screen.findByText(`${name}は必須です`)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(`${role}名`)))
    expect(await saved()).toBeUndefined()
  })

  test.each([
    ['registered', { [field(kind, 'Status')]: '2' }],
    ['NG', { [field(kind, 'Status')]: '3' }],
    ['no contact on the request', { [kind === entry ? 'inLocationContact' : 'outLocationContact']: null }],
  ])('[ec00026] 登録 where it is %s: says so and goes back', async (_, request) => {
    const { href, flash } = await openContact('add', kind, { request })
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()).toMatchObject({ mode: 'danger', text: NOT_POSSIBLE })
  })

  test('[ec00026] 登録 where one made here is on its way', async () => {
    const { href, flash } = await openContact('add', kind, {
      fill: (db) => storeContact(db, contactType, { saved: CONTACT }),
    })
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()?.text).toBe(NOT_POSSIBLE)
  })

  test('編集: starts with what is registered; offline, an open form is saved on the device', async () => {
    const { screen, fill, save, saved, signal, flash } = await openContact('edit', kind, {
      fill: (db) => storeContact(db, contactType, { server: CONTACT }),
    })
    expect((await screen.findByLabelText<HTMLInputElement>('担当者名')).value).toBe('佐藤')
    await fill('担当者名', '鈴木')
    signal.set(false)
    expect(await screen.findByText('電波がないため、端末に保存して後で送信します')).toBeTruthy()
    await save()
    await waitFor(async () =>
      expect(await saved()).toMatchObject({
        kind: 'edit',
        offline: true,
        fields: { ...CONTACT, staffName: '鈴木' },
      }),
    )
    await waitFor(() => expect(flash()?.text).toContain('電波がないため、端末に保存しました。'))
  })

  test('[ec00008] 編集 where the CRM has taken it over names the subject', async () => {
    const { href, flash } = await openContact('edit', kind, {
      fill: (db) => storeContact(db, contactType, { server: CONTACT, editStatus: 'NG' }),
    })
    await waitFor(() => expect(href()).toBe('/request/1'))
    expect(flash()).toMatchObject({ mode: 'danger', text: `この${role}変更依頼は編集できません。` })
  })

  test('詳細: every field, 電話, and 編集', async () => {
    const { screen } = await openContact('view', kind, {
      fill: (db) => storeContact(db, contactType, { server: CONTACT }),
    })
    for (const text of Object.values(CONTACT)) expect(await screen.findByText(text ?? '')).toBeTruthy()
    expect(screen.getByRole('link', { name: '編集' }).getAttribute('href')).toBe(
      `/locationContactChangeRequest/k${contactType}/edit/${type}`,
    )
    expect(screen.getByRole('link', { name: '電話' }).getAttribute('href')).toBe('tel:0355500199')
  })

  test('[ec00008] 詳細: no 編集 where the CRM has taken it over', async () => {
    const { screen } = await openContact('view', kind, {
      fill: (db) => storeContact(db, contactType, { server: CONTACT, editStatus: 'NG' }),
    })
    expect(await screen.findByText('編集できません')).toBeTruthy()
    expect(screen.queryByRole('link', { name: '編集' })).toBeNull()
  })

  test('[spec 1] 詳細 offline: it opens, and 編集 stands there with its reason, leading nowhere', async () => {
    const { screen } = await openContact('view', kind, {
      online: false,
      fill: (db) => storeContact(db, contactType, { server: CONTACT }),
    })
    const edit = await screen.findByRole('link', { name: '編集' })
    expect(edit.getAttribute('aria-disabled')).toBe('true')
    expect(edit.getAttribute('href')).toBeNull()
    const reason = document.getElementById(edit.getAttribute('aria-describedby') ?? '')
    expect(reason?.textContent).toBe('オフライン中は登録・編集できません')
  })
})

const field = ({ contactType }: (typeof kinds)[number], end: 'Status') =>
  `${contactType === '02' ? 'in' : 'out'}LocationContactChange${end}`

test.each(['view', 'edit'] as const)(
  '[spec 2] the %s of the other contact leads to not-found',
  async (which) => {
    const { href } = await openContact(which, entry, {
      fill: async (db) => {
        await storeContact(db, '03', { server: CONTACT })
        const stored = await viewIn(db, 'locationContactChangeRequests')
        if (stored.server) stored.server.id = 'k02'
        await storeView(db, 'locationContactChangeRequests', { ...stored, serverId: 'k02' })
      },
    })
    await waitFor(() => expect(href()).toBe('/not-found'))
  },
)

describe('[spec 5] the rules of every field', () => {
  const long = (text: string, n: number) => text.repeat(n)
  const tooLong = (name: string, max: number) => `${name}は${max}文字以内で入力してください`
  const KANA = '入館連絡先フリガナは半角カタカナのみ入力可能です'
  const TEL = '有効な電話番号を入力してください'
  const EMAIL = '有効なメールアドレスを入力してください'
  test.each<[name: string, label: string, text: string, error: string | null]>([
    ['name at its limit', '入館連絡先名', long('あ', 50), null],
    ['name one over', '入館連絡先名', long('あ', 51), tooLong('入館連絡先名', 50)],
    ['name whitespace', '入館連絡先名', ' 　', '入館連絡先名は必須です'],
    ['name full-width', '入館連絡先名', 'ＡＢＣ防災', null],
    ['name surrogate pairs at the limit', '入館連絡先名', long('🏢', 25), null],
    ['name surrogate pairs over', '入館連絡先名', long('🏢', 26), tooLong('入館連絡先名', 50)],
    ['name of 10,000', '入館連絡先名', long('a', 10_000), tooLong('入館連絡先名', 50)],
    ['name markup', '入館連絡先名', '<script>alert(1)</script>', null],
    ['name right-to-left marks', '入館連絡先名', '\u202Eabc\u200F', null],
    ['kana at its limit, after the conversion', '入館連絡先フリガナ', long('ガ', 25), null],
    [
      'kana one over, after the conversion',
      '入館連絡先フリガナ',
      long('ガ', 26),
      tooLong('入館連絡先フリガナ', 50),
    ],
    ['kana empty', '入館連絡先フリガナ', '', '入館連絡先フリガナは必須です'],
    ['kana whitespace', '入館連絡先フリガナ', ' 　', '入館連絡先フリガナは必須です'],
    ['kana kanji', '入館連絡先フリガナ', '防災', KANA],
    ['kana letters', '入館連絡先フリガナ', 'ﾎﾞｳabc', KANA],
    ['kana emoji', '入館連絡先フリガナ', 'ﾎﾞｳ🏢', KANA],
    ['kana markup', '入館連絡先フリガナ', '<script>', KANA],
    ['kana right-to-left marks', '入館連絡先フリガナ', 'ﾎﾞｳ\u200F', null],
    ['kana of 10,000', '入館連絡先フリガナ', long('ア', 10_000), tooLong('入館連絡先フリガナ', 50)],
    ['section at its limit', '部署', long('あ', 50), null],
    ['section one over', '部署', long('あ', 51), tooLong('部署', 50)],
    ['position one over', '役職', long('あ', 51), tooLong('役職', 50)],
    ['staff name one over', '担当者名', long('あ', 51), tooLong('担当者名', 50)],
    ['means at its limit', '連絡手段', long('あ', 100), null],
    ['means one over', '連絡手段', long('あ', 101), tooLong('連絡手段', 100)],
    ['email at its limit', 'メールアドレス', `${long('a', 39)}@example.jp`, null],
    ['email one over', 'メールアドレス', `${long('a', 40)}@example.jp`, tooLong('メールアドレス', 50)],
    ['email without @', 'メールアドレス', 'kanri', EMAIL],
    ['email with a space', 'メールアドレス', 'kan ri@example.jp', EMAIL],
    ['email of kana', 'メールアドレス', 'カンリ@example.jp', EMAIL],
    ['email whitespace is nothing', 'メールアドレス', ' 　', null],
    ['tel at its limit', '電話番号', '012-3456-78901', null],
    ['tel one over', '電話番号', '0123-4567-89012', tooLong('電話番号', 14)],
    ['tel empty', '電話番号', '', '電話番号は必須です'],
    ['tel whitespace', '電話番号', ' 　', '電話番号は必須です'],
    ['tel without a hyphen', '電話番号', '0355500199', TEL],
    ['tel of hyphens', '電話番号', '---', TEL],
    ['tel full-width', '電話番号', '０３－５５５０－０１９９', null],
    ['tel with brackets', '電話番号', '03(5550)0199', TEL],
    ['tel emoji', '電話番号', '☎-03', TEL],
    ['tel markup', '電話番号', '<b>03-1</b>', TEL],
  ])('%s', async (_, label, text, error) => {
    const { screen, fill, fillRequired, save, saved, href } = await openContact('add', entry)
    await fillRequired()
    await fill(label, text)
    await save()
    if (error === null) {
      await waitFor(() => expect(href()).toBe('/request/1'))
      expect(await saved()).toBeDefined()
      return
    }
    expect(await screen.findByText(error)).toBeTruthy()
    const invalid = screen.getByLabelText(label)
    expect(invalid.getAttribute('aria-invalid')).toBe('true')
    expect(
      document.getElementById(invalid.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')?.textContent,
    ).toBe(error)
    expect(await saved()).toBeUndefined()
  })

  test('the keyboards fit what is typed', async () => {
    const { screen } = await openContact('add', entry)
    expect((await screen.findByLabelText<HTMLInputElement>('電話番号')).type).toBe('tel')
    expect(screen.getByLabelText<HTMLInputElement>('電話番号').inputMode).toBe('tel')
    expect(screen.getByLabelText<HTMLInputElement>('メールアドレス').inputMode).toBe('email')
  })

  test('an iPhone, whose keypad for numbers has no hyphen, gets the keyboard that has one', async () => {
    const agent = vi.spyOn(navigator, 'userAgent', 'get')
    agent.mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15')
    const { screen } = await openContact('add', entry)
    const tel = await screen.findByLabelText<HTMLInputElement>('電話番号')
    expect([tel.type, tel.inputMode]).toEqual(['tel', 'text'])
    agent.mockRestore()
  })
})
