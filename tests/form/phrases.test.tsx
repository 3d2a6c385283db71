import { cleanup, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { draftOf } from '#data/drafts/drafts.ts'
import { inserted, OWN_MAX, sentencesIn, withSentencesOf } from '#form/phrases.tsx'
import { PHRASES } from '#messages/phrases.ts'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { openAdd } from '../features/note-location-area/open-notes.tsx'

describe('[decisions/forms] the user’s own sentences', () => {
  test.each([
    ['the last one first', '一つ目の文。二つ目の文。', [], ['二つ目の文。', '一つ目の文。']],
    ['lines are sentences, too', '一行目です\n  二行目です ', [], ['二行目です', '一行目です']],
    ['each once', '前の文です。', ['前の文です。', '別の文です。'], ['前の文です。', '別の文です。']],
    ['none that is offered anyway', '異常なし。新しい文。', [], ['新しい文。']],
    ['none that is too short or too long', `。OK。${'長'.repeat(101)}。`, ['前の文です。'], ['前の文です。']],
  ])('%s', (_, text, own, expected) => expect(withSentencesOf(text, own, ['異常なし。'])).toEqual(expected))

  test('the last five', () => {
    const all = Array.from({ length: 8 }, (_, at) => `${at}番目の文です。`)
    expect(withSentencesOf(all.join(''), [], [])).toEqual(all.toReversed().slice(0, OWN_MAX))
  })

  test.each([[null], ['text'], [{ sentences: 'a' }], [{ sentences: [1, null, 'あ'.repeat(101)] }]])(
    'stored as %j: none',
    (values) => expect(sentencesIn(values)).toEqual([]),
  )
})

test('a sentence takes the place of what is selected', () => {
  expect(inserted('前。後。', '中。', 2, 2)).toEqual({ text: '前。中。後。', caret: 4 })
  expect(inserted('前。後。', '中。', 2, 4)).toEqual({ text: '前。中。', caret: 4 })
})

describe('[decisions/forms] 定型文', () => {
  const [first, second] = PHRASES.note

  test('goes in at the caret, one after the other; what was saved is offered the next time, until the logout', async () => {
    const { screen, user, fill, save, saved, field, db } = await openAdd()
    await fill('前。後。')
    const area = await field()
    const pick = async (phrase: string) => {
      await user.click(screen.getByRole('button', { name: '定型文' }))
      const sheet = await screen.findByRole('dialog', { name: '定型文' })
      await user.click(within(sheet).getByRole('button', { name: phrase }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    area.setSelectionRange(2, 2)
    await pick(first)
    await pick(second)
    expect(area.value).toBe(`前。${first}${second}後。`)
    await fill('今日の鍵は青い箱の中です。')
    await save()
    await waitFor(async () => expect(await saved()).toHaveLength(1))
    await waitFor(async () => expect(await draftOf(db, PHRASES_DRAFT)).not.toBeNull())
    // or the next form goes on with it
    await waitFor(async () => expect(await draftOf(db, 'noteLocationArea/add/1')).toBeNull())
    cleanup()

    const next = await openAdd({}, db)
    await next.user.click(await next.screen.findByRole('button', { name: '定型文' }))
    const sheet = await next.screen.findByRole('dialog', { name: '定型文' })
    expect(await within(sheet).findByRole('heading', { name: '自分の文' })).toBeTruthy()
    await next.user.click(within(sheet).getByRole('button', { name: '今日の鍵は青い箱の中です。' }))
    await waitFor(async () => expect((await next.field()).value).toBe('今日の鍵は青い箱の中です。'))
  })
})
