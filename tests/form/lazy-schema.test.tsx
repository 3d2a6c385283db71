import { act, waitFor } from '@testing-library/react'
import { type } from 'arktype'
import { expect, test, vi } from 'vitest'
import { lazyRules, useLazySchema, type LazyRules, useDraftForm } from '#form/use-draft-form.ts'
import { renderFeature } from '../support/render-feature.tsx'

const code = { rules: type({ note: '0 < string <= 5' }) }
type Code = typeof code

interface LateFormProps {
  rules: LazyRules<Code>
  make?: (loaded: Code) => Code['rules']
  onSubmit: (values: { note: string }) => void
}

function LateForm({ rules, make = (loaded) => loaded.rules, onSubmit }: LateFormProps) {
  const schema = useLazySchema(rules, make)
  const form = useDraftForm({ schema, defaultValues: { note: '' }, onSubmit })
  return (
    <form.AppForm>
      <form.FormBody>
        <form.AppField name="note">
          {(field) => <field.TextAreaField label="メモ" required max={5} />}
        </form.AppField>
      </form.FormBody>
      <form.SubmitBar>保存</form.SubmitBar>
    </form.AppForm>
  )
}

async function open() {
  const loads: { resolve: (loaded: Code) => void; reject: (error: Error) => void }[] = []
  const load = vi.fn<() => Promise<Code>>(
    () => new Promise((resolve, reject) => loads.push({ resolve, reject })),
  )
  const onSubmit = vi.fn<LateFormProps['onSubmit']>()
  const make = vi.fn<(loaded: Code) => Code['rules']>(({ rules }) => rules)
  const form = <LateForm rules={lazyRules(load)} make={make} onSubmit={onSubmit} />
  const opened = await renderFeature(form, { path: '/outbox' })
  const { screen, user } = opened
  const save = () => user.click(screen.getByRole('button', { name: '保存' }))
  return { ...opened, loads, load, make, onSubmit, save }
}

test('[decisions/forms] a form stands before its rules; what is saved before they are there is judged by them all the same', async () => {
  const { screen, save, loads, onSubmit } = await open()
  expect(screen.getByLabelText(/メモ/)).toBeDefined()
  await save()
  expect(onSubmit).not.toHaveBeenCalled()
  loads[0]?.resolve(code)
  expect(await screen.findByText('メモは必須です')).toBeDefined()
  expect(onSubmit).not.toHaveBeenCalled()
})

test('[decisions/forms] pressed twice before the rules are there, it is saved once', async () => {
  const { screen, user, save, loads, load, onSubmit } = await open()
  await user.type(screen.getByLabelText(/メモ/), '異音')
  await save()
  await save()
  loads[0]?.resolve(code)
  await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ note: '異音' }))
  expect([onSubmit.mock.calls.length, load.mock.calls.length]).toEqual([1, 1])
})

test('[decisions/forms][hands 3] what was pressed before the rules came is saved also where the form was left meanwhile', async () => {
  const { user, screen, save, loads, onSubmit, router } = await open()
  await user.type(screen.getByLabelText(/メモ/), '異音')
  await save()
  await act(() => router.navigate({ to: '/request' }))
  expect(screen.queryByLabelText(/メモ/)).toBeNull()
  await act(async () => loads[0]?.resolve(code))
  await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ note: '異音' }))
})

test('[decisions/forms] they are fetched and made while the form is filled in, not at the tap on 保存', async () => {
  const { loads, make, save, onSubmit, screen, user } = await open()
  await user.type(screen.getByLabelText(/メモ/), '異音')
  await waitFor(() => expect(loads).toHaveLength(1), { timeout: 5_000 })
  loads[0]?.resolve(code)
  await waitFor(() => expect(make).toHaveBeenCalledOnce())
  await save()
  await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce())
})

test('[decisions/forms] where their code cannot be had, the screen says so as for any other code; the next form asks again', async () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { screen, save, loads, load, onSubmit } = await open()
  await save()
  loads[0]?.reject(new Error('not on this device'))
  expect(await screen.findByText('not on this device')).toBeDefined()
  expect(onSubmit).not.toHaveBeenCalled()
  expect(load).toHaveBeenCalledTimes(1)
  silent.mockRestore()
  warned.mockRestore()
})
