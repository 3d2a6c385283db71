import { fireEvent, waitFor } from '@testing-library/react'
import { type } from 'arktype'
import { describe, expect, test, vi } from 'vitest'
import { textOf } from '#schemas/declare/text-rules.ts'
import { toHalfKana } from '#form/half-width.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { renderFeature } from '../support/render-feature.tsx'

const draft = type({ kana: textOf({ max: 4, required: true, rule: 'kana' }), other: 'string' })

function KanaForm({ onSubmit }: { onSubmit: (values: typeof draft.infer) => void }) {
  const form = useDraftForm({ schema: draft, defaultValues: { kana: '', other: '' }, onSubmit })
  return (
    <form.AppForm>
      <form.PlainForm>
        <form.AppField name="kana">
          {(field) => <field.TextField label="フリガナ" required convert={toHalfKana} />}
        </form.AppField>
        <form.AppField name="other">{(field) => <field.TextField label="部署" />}</form.AppField>
      </form.PlainForm>
      <form.SubmitButton>保存</form.SubmitButton>
    </form.AppForm>
  )
}

async function openForm() {
  const onSubmit = vi.fn<(values: typeof draft.infer) => void>()
  const opened = await renderFeature(<KanaForm onSubmit={onSubmit} />, { path: '/outbox' })
  const kana = opened.screen.getByLabelText<HTMLInputElement>('フリガナ')
  return { ...opened, onSubmit, kana }
}

describe('[spec 5] a field that is rewritten when it is left', () => {
  test('not while one types', async () => {
    const { user, kana, screen } = await openForm()
    await user.type(kana, 'ガス')
    expect(kana.value).toBe('ガス')
    await user.click(screen.getByLabelText('部署'))
    await waitFor(() => expect(kana.value).toBe('ｶﾞｽ'))
  })

  test('ガ counts as two: the limit is judged after', async () => {
    const { user, kana, screen, onSubmit } = await openForm()
    await user.type(kana, 'ガギグ')
    await user.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('フリガナは4文字以内で入力してください')).toBeDefined()
    expect(kana.value).toBe('ｶﾞｷﾞｸﾞ')
    await user.clear(kana)
    await user.type(kana, 'ガギ')
    await user.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ kana: 'ｶﾞｷﾞ', other: '' }))
  })

  test('Enter submits what the field would hold when left', async () => {
    const { user, kana, onSubmit } = await openForm()
    await user.type(kana, 'カナ')
    expect(document.activeElement).toBe(kana)
    // Enter, as the browser makes a submit of it
    fireEvent.submit(kana.form ?? kana)
    await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ kana: 'ｶﾅ', other: '' }))
  })

  test('a composition is never touched, also where it outlasts the leaving', async () => {
    const { kana } = await openForm()
    fireEvent.focus(kana)
    fireEvent.compositionStart(kana)
    fireEvent.input(kana, { target: { value: 'カ' } })
    fireEvent.blur(kana)
    expect(kana.value).toBe('カ')
    fireEvent.input(kana, { target: { value: 'カナ' } })
    fireEvent.compositionEnd(kana)
    await waitFor(() => expect(kana.value).toBe('ｶﾅ'))
  })

  test('a composition that ends in the field leaves it as it is', async () => {
    const { kana } = await openForm()
    fireEvent.focus(kana)
    fireEvent.compositionStart(kana)
    fireEvent.input(kana, { target: { value: 'カナ' } })
    fireEvent.compositionEnd(kana)
    expect(kana.value).toBe('カナ')
  })
})
