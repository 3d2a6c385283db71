/** A draft that was 封印中 comes back into a form that somebody has before them (decisions/encryption, SV3). */
import { expect, test, vi } from 'vitest'
import { blank } from '#data/drafts/draft-rows.ts'
import { draftOf, dropDraft, storeValues } from '#data/drafts/drafts.ts'
import { eachOnAnEmptyDevice, sealedUser } from '../../support/sealed-user.ts'

const DRAFT = 'emergencyReport/add/r-1'

eachOnAnEmptyDevice()

/** Typed under the password `old`; opened under another one. */
async function draftAside(text: string) {
  let ids = 0
  const { login, logout, open } = sealedUser({
    ...{ user: 'genba-1', userName: 'demo6', newId: () => `k-${(ids += 1)}` },
  })
  await login('old')
  const before = await open()
  await storeValues(before.db, DRAFT, { text })
  await before.close()
  await logout()
  await login('new')
  return open()
}

test.each([
  ['a key is pressed', '後', 'typed'],
  ['it is dropped', null, 'all'],
] as const)(
  '[SV3] a draft is put back into an empty one, and %s in that moment: neither text is lost',
  async (_, typed, told) => {
    const { db, bytes, lockedData, close } = await draftAside('前')
    await db.drafts.insert(blank(DRAFT))
    // between the read of the draft and the write
    const insert = db.own.insertIfNotExists.bind(db.own)
    const spy = vi.spyOn(db.own, 'insertIfNotExists').mockImplementationOnce(async (row) => {
      const found = await insert(row)
      await (typed === null ? dropDraft({ db, bytes }, DRAFT) : storeValues(db, DRAFT, { text: typed }))
      return found
    })
    expect(await lockedData.open('old')).toBe(told)
    expect(spy).toHaveBeenCalled()
    spy.mockRestore()
    const text = typed ?? '前'
    const values = (await draftOf(db, DRAFT))?.values
    expect([values, lockedData.get()]).toEqual([JSON.stringify({ text }), typed === null ? 0 : 1])
    await close()
  },
)
