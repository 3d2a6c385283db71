import { waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import { watchScrollEnd } from '../../support/scroll-end.ts'
import { AREA, DAY, note, openList, theirs, unsentNote } from './open-notes.tsx'
import { acceptChange, storeFacts, storeView } from '../../support/stored-views.ts'

const listOf = (query: string) => ({ href: `/noteLocationArea/${AREA}?${query}` })
const at = (createdAt: string) => ({ createdAt })

describe('[spec 2] 現場メモ一覧', () => {
  test.each([
    ['no type', `workingDate=${DAY}`],
    ['no such type', `type=3&workingDate=${DAY}`],
    ['no working day', 'type=1&requestId=1'],
    ['a working day that does not exist', 'type=1&workingDate=2026-02-30'],
    ['a working day that is none', 'type=1&workingDate=20261120'],
  ])('%s: not-found', async (_, query) => {
    const { href } = await openList(listOf(query))
    await waitFor(() => expect(href()).toBe('/not-found'))
  })

  test('newest first, each with time, who, and text', async () => {
    const { screen } = await openList({
      notes: [
        note('old', { ...theirs, createdAt: '2026-05-14T06:52:00Z' }),
        note('new', at(`${DAY}T09:31:00+09:00`)),
        note('mid', at('2026-08-27T11:40:00+09:00')),
      ],
    })
    await screen.findByText('メモ new')
    const cards = screen.getAllByRole('article')
    expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual([
      '2026/11/20 09:31',
      '2026/08/27 11:40',
      '2026/05/14 15:52',
    ])
    expect(cards[2]?.textContent).toContain('東都ポンプ工業株式会社 石井 健太')
    expect(cards[2]?.textContent).toContain('メモ old')
  })

  test.each([
    ['one’s own, type 1, online', '1', {}, true, 1],
    ['one’s own, type 1, offline', '1', {}, false, 1],
    ['somebody else’s', '1', theirs, true, 0],
    ['one’s own, type 2', '2', {}, true, 0],
  ])('編集: %s', async (_, type, server, online, links) => {
    const { screen } = await openList({
      ...listOf(`type=${type}&requestId=1&workingDate=${DAY}`),
      notes: [note('n1', server, { noteType: type })],
      online,
    })
    await screen.findByText('メモ n1')
    const edits = screen.queryAllByRole('link', { name: '編集' })
    expect(edits.map((link) => link.getAttribute('href'))).toEqual(
      // disabled without a signal
      links === 1 ? [online ? '/noteLocationArea/n1/edit' : null] : [],
    )
  })

  test('[offline] 追加 leads on while there is a signal, and is disabled without', async () => {
    const { screen, setOnline } = await openList({ notes: [note('n1')] })
    const add = await screen.findByRole('link', { name: '追加' })
    expect(add.getAttribute('href')).toBe('/noteLocationArea/add/1')
    await screen.findByText('メモ n1')
    setOnline(false)
    await waitFor(() => expect(screen.getByRole('link', { name: '追加' }).getAttribute('href')).toBeNull())
    expect(screen.getByRole('link', { name: '編集' }).getAttribute('href')).toBeNull()
    expect(screen.getAllByText('オフライン中は登録・編集できません').length).toBeGreaterThan(0)
    expect(screen.getByText('メモ n1')).toBeTruthy()
  })

  test.each([
    [true, '次に入る会社に伝えたいことを登録してください。'],
    [false, '電波の届く場所で登録できます。'],
  ])('[words] none, and what can be done about it: online %s', async (online, advice) => {
    const { screen } = await openList({ notes: [], online })
    await screen.findByRole('heading', { name: '現場メモはありません' })
    expect(screen.getByText(advice)).toBeTruthy()
    const add = screen.getByRole('link', { name: '追加' })
    expect(add.getAttribute('aria-disabled')).toBe(online ? null : 'true')
  })

  test('without requestId in the query the id is the request’s', async () => {
    const { screen } = await openList({
      href: `/noteLocationArea/1?type=1&workingDate=${DAY}`,
      notes: [note('n1'), note('n2', {}, { locationAreaId: 'elsewhere' })],
    })
    expect(await screen.findByText('メモ n1')).toBeTruthy()
    expect(screen.queryByText('メモ n2')).toBeNull()
    expect(screen.getByText('ベイサイド東雲 A棟 地下ピット')).toBeTruthy()
  })

  test('the notes of the other type are one tap away', async () => {
    const notes = [note('n1'), note('n2', {}, { noteType: '2' }), note('n3', {}, { noteType: '2' })]
    const { screen, user, href } = await openList({ notes })
    const types = within(await screen.findByRole('navigation', { name: 'メモの種類' }))
    expect(types.getByRole('link', { name: '依頼（1）' }).getAttribute('aria-current')).toBe('page')
    expect(screen.queryByText('メモ n2')).toBeNull()
    await user.click(types.getByRole('link', { name: '現場（2）' }))
    await waitFor(() => expect(href()).toContain('type=2'))
  })

  test('only notes of the other type: not that the place has none', async () => {
    const { screen } = await openList({ notes: [note('n2', {}, { noteType: '2' })] })
    expect(await screen.findByRole('heading', { name: '「依頼」の現場メモはありません' })).toBeTruthy()
    expect(screen.getByText('「現場」の現場メモが1件あります。')).toBeTruthy()
  })

  test('somebody else’s note appears while the list is open, and the CRM was asked for it', async () => {
    const { screen, db } = await openList({ notes: [note('n1')] })
    await screen.findByText('メモ n1')
    const asked = () => db.interests.findOne(`list_noteLocationAreas_${AREA}`).exec()
    await waitFor(async () =>
      expect((await asked())?.toJSON()).toMatchObject({ state: 'asked', requestId: '1', recordKey: AREA }),
    )
    await storeView(db, 'noteLocationAreas', note('n2', theirs))
    expect(await screen.findByText('メモ n2')).toBeTruthy()
  })

  test('[SV2, ST1] one that has not gone yet says where it stands', async () => {
    const record = unsentNote('まだ送っていません')
    const { screen, db } = await openList({ notes: [note('n1'), record] })
    const [first] = await screen.findAllByRole('article')
    expect(first?.textContent).toContain('まだ送っていません')
    expect(first?.textContent).toContain('大西 修')
    expect(first?.textContent).toContain('待機')
    const [change] = record.changes
    if (!change) throw new Error('no change')
    const entry = blankFacts({ record: { resource: 'noteLocationAreas', ...record }, change })
    await storeFacts(db, { ...entry, state: 'refused', reasons: ['no'] })
    await waitFor(() => expect(screen.getAllByRole('article')[0]?.textContent).toContain('失敗'))
  })

  test('[spec 3] one that is 非公開 says so, one that is open or only here does not', async () => {
    const { screen } = await openList({
      notes: [note('n1', { openFlag: '2' }), note('n2'), unsentNote('まだ')],
    })
    const texts = (await screen.findAllByRole('article')).map(({ textContent }) => textContent)
    expect(texts.filter((text) => text.includes('非公開'))).toHaveLength(1)
    expect(texts.find((text) => text.includes('非公開'))).toContain('メモ n1')
  })

  test('the line of its state stays when it was sent: nothing below moves', async () => {
    const record = unsentNote('送信される')
    const { screen, db } = await openList({ notes: [note('n1'), record] })
    const state = await screen.findByText('待機')
    const line = state.closest('div')
    await acceptChange(db, 'change-1', note('n9').server ?? {})
    await waitFor(() => expect(screen.queryByText('待機')).toBeNull())
    expect(line?.isConnected).toBe(true)
    expect(line?.firstElementChild?.className).toContain('state')
  })

  test('one of which the CRM does not say when it was registered', async () => {
    const { screen } = await openList({ notes: [note('n1', { createdAt: null })] })
    expect(await screen.findByRole('article', { name: '登録日時不明' })).toBeTruthy()
  })

  test('an area without notes', async () => {
    const { screen } = await openList()
    expect(await screen.findByRole('heading', { name: '現場メモはありません' })).toBeTruthy()
  })

  test.each([
    ['with notes', [note('n1')], 'メモ n1'],
    ['without any', [], '現場メモはありません'],
  ])(
    '[spec 2] 登録不可, %s: the list is read, and says that nothing can be added',
    async (_, notes, text) => {
      const { screen } = await openList({ notes, request: { noteLocationAreaStatus: '3' } })
      expect(await screen.findByText(text)).toBeTruthy()
      expect(screen.getByText('この依頼では現場メモを登録できません。')).toBeTruthy()
      expect(screen.queryByRole('link', { name: '追加' })).toBeNull()
      expect(screen.queryByText(/登録してください/)).toBeNull()
    },
  )

  test('[PL4b] a wrong place in the address: the list is that of the request’s place, and nothing is read under the other', async () => {
    const { screen, db } = await openList({
      href: `/noteLocationArea/1?type=1&requestId=1&workingDate=${DAY}`,
      notes: [note('n1')],
      isRead: false,
    })
    expect(await screen.findByText('メモ n1')).toBeTruthy()
    await waitFor(async () =>
      expect((await db.interests.find().exec()).map(({ key }) => key)).toContain(
        `list_noteLocationAreas_${AREA}`,
      ),
    )
    expect(await db.interests.findOne('list_noteLocationAreas_1').exec()).toBeNull()
  })

  test('not on the device, and no signal', async () => {
    const { screen } = await openList({ isRead: false, online: false })
    expect(await screen.findByRole('heading', { name: '端末に保存されていません' })).toBeTruthy()
  })
})

describe('[spec 9] 20 a page', () => {
  const scrollToEnd = watchScrollEnd()

  test('more come when the end is near, until there are none', async () => {
    const many = Array.from({ length: 45 }, (_, i) => note(`n${String(i).padStart(2, '0')}`))
    const { screen } = await openList({ notes: many })
    const cards = () => screen.queryAllByRole('article').length
    await waitFor(() => expect(cards()).toBe(20))
    scrollToEnd()
    await waitFor(() => expect(cards()).toBe(40))
    scrollToEnd()
    await waitFor(() => expect(cards()).toBe(45))
    expect(screen.getByText('これより前のメモはありません')).toBeTruthy()
    scrollToEnd()
    expect(cards()).toBe(45)
  })
})
