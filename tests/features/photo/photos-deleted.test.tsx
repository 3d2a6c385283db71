/** 削除 of a photo in a form, and the way back. */
import { waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Services } from '#data/app-context.tsx'
import { file, openForm } from './open-form.tsx'

describe('[hands 3] 削除 of a photo', () => {
  const actOf = ({ get }: Services['flash']) => get().find(({ act }) => act)?.act

  test('acts at once; 元に戻す brings it back with its bytes, in its place', async () => {
    const { screen, user, add, draft: kept, bytes, services } = await openForm()
    await add(file('a.jpg'), file('b.jpg'))
    await waitFor(() => expect(screen.getAllByText('待機')).toHaveLength(2))
    const before = (await kept())?.photos
    const [first] = before ?? []
    await user.click(screen.getByRole('button', { name: `${first?.name}を削除` }))
    await waitFor(() => expect(screen.getAllByText('待機')).toHaveLength(1))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await waitFor(() => expect(actOf(services.flash)?.text).toBe('元に戻す'))
    actOf(services.flash)?.run()
    await waitFor(async () => expect((await kept())?.photos).toEqual(before))
    expect(await bytes.get(first?.key ?? '')).toBeDefined()
    expect(services.flash.get()).toEqual([])
  })

  test('its bytes go when the banner does, and it cannot be had back after the save', async () => {
    const { screen, user, add, draft: kept, bytes, services, submit } = await openForm()
    await add(file('a.jpg'))
    await screen.findByText('待機')
    const key = (await kept())?.photos[0]?.key ?? ''
    await user.click(screen.getByRole('button', { name: /を削除$/ }))
    await waitFor(() => expect(actOf(services.flash)).toBeDefined())
    const late = actOf(services.flash)
    expect(await bytes.get(key)).toBeDefined()
    await user.type(screen.getByLabelText('メモ'), '段差あり')
    await submit()
    await waitFor(async () => expect(await bytes.get(key)).toBeUndefined())
    expect(actOf(services.flash)).toBeUndefined()
    late?.run()
    await waitFor(async () => expect(await kept()).toBeNull())
  })

  test('of a record that is there: it is not to be deleted after all', async () => {
    const first = await openForm()
    await first.user.type(first.screen.getByLabelText('メモ'), '段差あり')
    await first.add(file('a.jpg'))
    await first.screen.findByText('待機')
    await first.submit()
    await waitFor(async () => expect(await first.draft()).toBeNull())
    const recordKey = (await first.db.noteLocationAreas.findOne().exec(true)).key
    const { screen, user, draft: kept, services } = await openForm({ ...first.kill(), recordKey })
    await user.click(await screen.findByRole('button', { name: /を削除$/ }))
    await waitFor(() => expect(actOf(services.flash)).toBeDefined())
    expect((await kept())?.unwanted).toHaveLength(1)
    actOf(services.flash)?.run()
    await waitFor(async () => expect((await kept())?.unwanted).toEqual([]))
  })
})
