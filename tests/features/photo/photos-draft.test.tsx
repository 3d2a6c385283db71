/** The draft of a form with photos: killed, opened again, given up. */
import { cleanup, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { renderFeature } from '../../support/render-feature.tsx'
import { NoteForm, file, openForm, RESTORED } from './open-form.tsx'

describe('[draft] a page that is killed', () => {
  async function killed() {
    const first = await openForm()
    await first.user.type(first.screen.getByLabelText('メモ'), '<b>段差</b>😀')
    await first.add(file('a.jpg'))
    await first.screen.findByText('待機')
    const device = first.kill()
    await waitFor(async () => expect((await first.draft())?.values).toContain('段差'))
    return { first, device }
  }

  test('opens with what was typed and taken, and says so', async () => {
    const { device } = await killed()
    const { screen, submit, db, draft: kept } = await openForm(device)
    expect(await screen.findByText(RESTORED)).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('<b>段差</b>😀')
    expect(await screen.findByText('待機')).toBeDefined()
    await submit()
    await waitFor(async () => expect(await kept()).toBeNull())
    expect(await db.photos.find().exec()).toHaveLength(1)
  })

  test('starts fresh when asked: text, photos and their bytes go', async () => {
    const { device } = await killed()
    const { screen, user, draft: kept, bytes } = await openForm(device)
    const key = (await kept())?.photos[0]?.key ?? ''
    await user.click(await screen.findByRole('button', { name: '最初から入力する' }))
    await waitFor(() => expect(screen.queryByText(RESTORED)).toBeNull())
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('')
    await waitFor(() => expect(screen.queryByText('待機')).toBeNull())
    expect(await kept()).toBeNull()
    // as long as it can be had back, and not after the form
    expect(await bytes.get(key)).toBeDefined()
    cleanup()
    await waitFor(async () => expect(await bytes.get(key)).toBeUndefined())
  })

  test('[hands 3] 元に戻す brings back what was typed and taken; the notice keeps its place', async () => {
    const { device } = await killed()
    const { screen, user, draft: kept, submit, db } = await openForm(device)
    await user.click(await screen.findByRole('button', { name: '最初から入力する' }))
    expect(await screen.findByText('入力途中の内容を削除しました。')).toBeDefined()
    await waitFor(() => expect(screen.queryByText('待機')).toBeNull())
    await user.click(screen.getByRole('button', { name: '元に戻す' }))
    expect(await screen.findByText(RESTORED)).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('<b>段差</b>😀')
    expect(await screen.findByText('待機')).toBeDefined()
    await submit()
    await waitFor(async () => expect(await kept()).toBeNull())
    expect(await db.photos.find().exec()).toHaveLength(1)
  })

  test('left with はい (ec00007) nothing is kept; also with photos only', async () => {
    const { screen, user, add, router, draft: kept } = await openForm()
    await add(file('a.jpg'))
    await screen.findByText('待機')
    void router.navigate({ to: '/settings' })
    await user.click(await screen.findByRole('button', { name: 'はい' }))
    await waitFor(async () => expect(await kept()).toBeNull())
  })

  test('another form opens empty', async () => {
    const { device } = await killed()
    const { screen } = await renderFeature(<NoteForm of="r2" />, { path: '/outbox', ...device })
    expect(screen.getByLabelText<HTMLInputElement>('メモ').value).toBe('')
    expect(screen.queryByText(RESTORED)).toBeNull()
  })
})
