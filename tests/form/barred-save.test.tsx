/** A save that is barred writes nothing and says so to its form, which keeps what was typed (use-draft-form). */
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { FormAction, FormSlug } from '#data/changes/offline-policy.ts'
import { useSave } from '#features/request-form/use-save.ts'
import { openTestDatabase, renderFeature } from '../support/render-feature.tsx'

const SLUGS: FormSlug[] = [
  'quickReport',
  'emergencyReport',
  'safetyMeasure',
  'customerLocationChangeRequest',
  'locationContactChangeRequest',
  'noteLocationArea',
]
const ACTIONS: FormAction[] = ['add', 'edit']
const forms = SLUGS.flatMap((slug) => ACTIONS.map((action) => [slug, action] as const))

test.each(forms)('[SV1][draft] a barred save of %s, %s, is not saved', async (slug, action) => {
  const done: string[] = []
  function Form() {
    const submit = useSave(slug, action)
    const [said, say] = useState('')
    const save = async () => {
      const end = await submit({
        bar: { text: 'この退館報告は編集できません。', go: async () => void done.push('gone') },
        write: async () => void done.push('written'),
        leave: () => void done.push('left'),
      })
      say(end ?? 'saved')
    }
    return (
      <>
        <button onClick={() => void save()}>保存</button>
        <output>{said}</output>
      </>
    )
  }
  const db = await openTestDatabase()
  const { screen, user, services } = await renderFeature(<Form />, { path: '/settings', db })
  await user.click(await screen.findByRole('button', { name: '保存' }))
  expect(await screen.findByText('not-saved')).toBeTruthy()
  expect(done).toEqual(['gone'])
  expect(services.flash.get()[0]?.mode).toBe('danger')
})
