import { act, waitFor } from '@testing-library/react'
import { useStore } from '@tanstack/react-form'
import { type } from 'arktype'
import { Profiler } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { Database } from '#data/database/database.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { openTestDatabase, renderFeature } from '../support/render-feature.tsx'
import { uncaughtIn } from '../support/uncaught.ts'

const draft = type({
  type: type.enumerated('1', '2'),
  reason: type.enumerated('a', 'b').or("''"),
  kinds: 'string[] > 0',
  content: 'string <= 5',
})
type Draft = typeof draft.infer
interface Values {
  type: string
  reason: string
  kinds: string[]
  content: string
}

const EMPTY: Values = { type: '', reason: '', kinds: [], content: '' }
const TYPES = [
  { code: '1', label: '完了' },
  { code: '2', label: '未完了' },
]
const REASONS = [
  { code: 'a', label: '悪天候' },
  { code: 'b', label: '時間超過' },
]

function ReportForm({ onSubmit }: { onSubmit: (values: Draft) => Promise<void> | void }) {
  const form = useDraftForm({ schema: draft, defaultValues: EMPTY, onSubmit })
  const isIncomplete = useStore(form.store, ({ values }) => values.type === '2')
  return (
    <form.AppForm>
      <form.FormBody>
        <form.AppField name="content">
          {(field) => <field.TextAreaField label="内容" max={5} />}
        </form.AppField>
        <form.AppField name="type">
          {(field) => <field.RadioField label="区分" required options={TYPES} />}
        </form.AppField>
        {isIncomplete && (
          <form.AppField
            name="reason"
            validators={{
              onChangeListenTo: ['type'],
              onDynamic: ({ value, fieldApi }) =>
                value === '' && fieldApi.form.state.values.type === '2' ? 'ec00001' : undefined,
            }}
          >
            {(field) => <field.SelectField label="理由" required options={REASONS} />}
          </form.AppField>
        )}
        <form.AppField name="kinds">
          {(field) => <field.CheckboxesField label="種類" required options={REASONS} />}
        </form.AppField>
      </form.FormBody>
      <form.SubmitBar>保存</form.SubmitBar>
      <form.LeaveGuard />
    </form.AppForm>
  )
}

async function openForm(onSubmit = vi.fn<(values: Draft) => Promise<void> | void>()) {
  const opened = await renderFeature(<ReportForm onSubmit={onSubmit} />, { path: '/outbox' })
  const { screen, user } = opened
  return {
    ...opened,
    onSubmit,
    submit: () => user.click(screen.getByRole('button', { name: '保存' })),
    choose: (name: string) => user.click(screen.getByRole('radio', { name })),
    tick: (name: string) => user.click(screen.getByRole('checkbox', { name })),
  }
}

test('[decisions/speed] a field that is left draws nothing anew: the tap on 保存 leaves one', async () => {
  const drawn = vi.fn<() => void>()
  const form = (
    <Profiler id="form" onRender={drawn}>
      <ReportForm onSubmit={vi.fn<() => void>()} />
    </Profiler>
  )
  const { screen, user } = await renderFeature(form, { path: '/outbox' })
  const content = screen.getByLabelText<HTMLTextAreaElement>(/内容/)
  await user.type(content, '異音')
  await user.click(screen.getByRole('radio', { name: '完了' }))
  expect(drawn).toHaveBeenCalled()
  for (const left of [screen.getByRole('radio', { name: '完了' }), content]) {
    act(() => left.focus())
    drawn.mockClear()
    act(() => left.blur())
    expect(drawn).not.toHaveBeenCalled()
  }
})

describe('[spec 5] a submit that fails', () => {
  test('says nothing before the first submit, then everything at once, and focuses the first', async () => {
    const { screen, submit, onSubmit } = await openForm()
    expect(screen.queryByText('区分は必須です')).toBeNull()
    await submit()
    expect(await screen.findByText('区分は必須です')).toBeDefined()
    expect(screen.getByText('種類は必須です')).toBeDefined()
    expect(screen.getByRole('alert').textContent).toBe('確認が必要な項目が2件あります')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('radio', { name: '完了' })))
    expect(onSubmit).not.toHaveBeenCalled()
  })

  test('scrolls to the first error', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
    const { submit, choose } = await openForm()
    await choose('未完了')
    await submit()
    await waitFor(() => expect(scrolled).toHaveBeenCalledOnce())
    const [first] = scrolled.mock.contexts
    expect(first instanceof Element && first.textContent).toContain('理由')
    scrolled.mockRestore()
  })

  test('shows what the schema and what the rule on a field say together', async () => {
    const { screen, submit, choose } = await openForm()
    await choose('未完了')
    await submit()
    expect(await screen.findByText('理由は必須です')).toBeDefined()
    expect(await screen.findByText('種類は必須です')).toBeDefined()
    expect(screen.queryByText('区分は必須です')).toBeNull()
  })

  test('a required field that goes away no longer stands in the way', async () => {
    const { screen, submit, choose, tick, onSubmit } = await openForm()
    await choose('未完了')
    await tick('時間超過')
    await submit()
    await screen.findByText('理由は必須です')
    await choose('完了')
    await submit()
    await waitFor(() =>
      expect(onSubmit).toHaveBeenCalledWith({ type: '1', reason: '', kinds: ['b'], content: '' }),
    )
  })

  test('a text that is too long is kept, counted and named', async () => {
    const { screen, submit, user, choose, tick, onSubmit } = await openForm()
    await choose('完了')
    await tick('悪天候')
    await user.type(screen.getByLabelText('内容'), 'abcdef')
    expect(screen.getByText('6 / 5文字')).toBeDefined()
    await submit()
    expect(await screen.findByText('内容は5文字以内で入力してください')).toBeDefined()
    await user.type(screen.getByLabelText('内容'), '{Backspace}')
    await waitFor(() => expect(screen.queryByText('内容は5文字以内で入力してください')).toBeNull())
    await submit()
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce())
  })
})

test('[spec 5] a second submit while one runs is ignored', async () => {
  const answers: (() => void)[] = []
  const save = vi.fn<() => Promise<void>>(() => new Promise((resolve) => answers.push(resolve)))
  const { screen, submit, choose, tick } = await openForm(save)
  await choose('完了')
  await tick('悪天候')
  await submit()
  const button = screen.getByRole('button', { name: '保存' })
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'))
  await submit()
  answers[0]?.()
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  expect(save).toHaveBeenCalledOnce()
})

test('[spec 5][hands 3] a second press after the save has ended, while the form is being left, is ignored', async () => {
  const save = vi.fn<() => Promise<void>>(async () => undefined)
  const db = await openTestDatabase()
  const { screen, user } = await renderFeature(<Kept save={save} />, { path: '/outbox', db })
  await user.type(await screen.findByLabelText('内容'), 'ふた')
  const button = screen.getByRole('button', { name: '保存' })
  await user.click(button)
  await waitFor(async () => expect(await db.drafts.find().exec()).toEqual([]))
  await user.click(button)
  await user.click(button)
  expect(save).toHaveBeenCalledOnce()
})

describe('[spec 5] leaving', () => {
  const QUESTION = '編集中の内容は保存されていません。破棄してもよろしいですか？'

  test('an untouched form is left without a question', async () => {
    const { screen, router, href } = await openForm()
    await router.navigate({ to: '/settings' })
    expect(href()).toBe('/settings')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('ec00007: いいえ stays, はい leaves', async () => {
    const { screen, user, router, choose, href } = await openForm()
    await choose('完了')
    void router.navigate({ to: '/settings' })
    expect(await screen.findByRole('alertdialog', { name: QUESTION })).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'いいえ' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(href()).toBe('/outbox')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '完了' }).checked).toBe(true)
    void router.navigate({ to: '/settings' })
    await user.click(await screen.findByRole('button', { name: 'はい' }))
    await waitFor(() => expect(href()).toBe('/settings'))
  })

  test('a popup over the form, and the save itself, are not asked', async () => {
    const { screen, router, submit, choose, tick, href, onSubmit } = await openForm()
    await choose('完了')
    await router.navigate({ to: '/outbox', search: { popup: 'detail' } as never })
    expect(href()).toBe('/outbox?popup=detail')
    onSubmit.mockImplementation(() => router.navigate({ to: '/request' }))
    await tick('悪天候')
    await submit()
    await waitFor(() => expect(href()).toBe('/request'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  describe('[SV1] after a save that failed on the device', () => {
    async function failed() {
      const db = await openTestDatabase()
      const opened = await renderFeature(<NotSaved />, { path: '/outbox', db })
      const { screen, user } = opened
      const field = await screen.findByLabelText('内容')
      const type = async (text: string) => user.type(field, text)
      return { ...opened, db, type, submit: () => user.click(screen.getByRole('button', { name: '保存' })) }
    }
    const typedIn = async (db: Database) => (await db.drafts.findOne('note/1').exec())?.values ?? ''

    test('what the device has as a draft is left without a question, and stays', async () => {
      const { screen, db, router, type, submit, href } = await failed()
      await type('ふた')
      await waitFor(async () => expect(await typedIn(db)).toContain('ふた'))
      await submit()
      await router.navigate({ to: '/settings' })
      expect(href()).toBe('/settings')
      expect(screen.queryByRole('alertdialog')).toBeNull()
      expect(await typedIn(db)).toContain('ふた')
    })

    test('[ec00007] what the device has not taken as a draft either is asked about: it would be lost', async () => {
      const { screen, db, router, type, submit, href } = await failed()
      await uncaughtIn(async () => {
        const full = new DOMException('no room', 'QuotaExceededError')
        const keep = vi.spyOn(db.drafts, 'insertIfNotExists').mockRejectedValue(full)
        await type('ふた')
        await waitFor(() => expect(keep).toHaveBeenCalled())
        await submit()
        void router.navigate({ to: '/settings' })
        expect(await screen.findByRole('alertdialog', { name: QUESTION })).toBeDefined()
        // the form saves what was typed once more when it closes
        keep.mockRestore()
      })
      expect(href()).toBe('/outbox')
    })
  })
})

/** The device does not take its save. */
const NotSaved = () => <Kept save={async () => 'not-saved' as const} />

function Kept({ save }: { save: () => Promise<void | 'not-saved'> }) {
  const form = useDraftForm({
    defaultValues: { content: '' },
    autosave: { key: 'note/1' },
    onSubmit: save,
  })
  return (
    <form.AppForm>
      <form.FormBody>
        <form.AppField name="content">{(field) => <field.TextField label="内容" />}</form.AppField>
      </form.FormBody>
      <form.SubmitBar>保存</form.SubmitBar>
      <form.LeaveGuard />
    </form.AppForm>
  )
}
