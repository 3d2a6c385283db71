/**
 * Binds TanStack Form to the app's components. Example of a screen:
 *
 *     const form = useDraftForm({ schema, defaultValues: { type: '', reason1: '' }, onSubmit: async (draft) => … })
 *     return (
 *       <form.AppForm>
 *         <Frame title={…} footer={<form.SubmitBar hint={…}>{t`保存`}</form.SubmitBar>}>
 *           <form.FormBody>
 *             <form.AppField name="type" listeners={{ onChange: () => form.setFieldValue('reason1', '') }}>
 *               {(field) => <field.RadioField label={t`作業区分`} required options={QuickReportType.options} />}
 *             </form.AppField>
 *           </form.FormBody>
 *           <form.LeaveGuard />
 *         </Frame>
 *       </form.AppForm>
 *     )
 *
 * Validation starts with the first submit and then runs on every change (spec 5). A failed submit shows all errors
 * and focuses the first. A submit during another submit is ignored. With `autosave` the input survives the end of the
 * page, and FormBody shows a notice when it was restored.
 */
import { createFormHook, revalidateLogic, type StandardSchemaV1 } from '@tanstack/react-form'
import { use, useEffect, useState } from 'react'
import { DraftNotice, FormBody, LeaveGuard, PlainForm, SubmitBar, SubmitButton } from './form-parts.tsx'
import { focusFirstError } from './focus-first-error.ts'
import { fieldContext, formContext } from './form-contexts.ts'
import { FormDraftsContext } from './form-drafts.ts'
import { createFormAutosave } from './form-autosave.ts'
import { type LongTexts, rememberSentences } from './phrases.tsx'
import * as fieldComponents from './fields.tsx'
import { loadedOnce } from '#lib/browser/missing-code.ts'

export type FieldComponents = typeof fieldComponents

const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents,
  formComponents: { DraftNotice, FormBody, LeaveGuard, PlainForm, SubmitBar, SubmitButton },
})

/** An ArkType schema, possibly one that loads later (`useLazySchema`). */
interface FormSchema<Draft> {
  readonly infer?: Draft
  assert(value: unknown): unknown
  /** Returns a promise that a submit awaits, or null if the rules are loaded. */
  ready?: () => Promise<void> | null
}

interface DraftFormOptions<Values, Draft> {
  /** The schema of valid input. Omitted if the validators of the fields suffice (login). */
  schema?: FormSchema<Draft>
  /** Initial values. A code that is not chosen is ''. */
  defaultValues: Values
  /**
   * Called with the parsed input, which counts as saved when the promise resolves. With 'not-saved' the draft stays,
   * but the screen may be left. An exception is a bug.
   */
  onSubmit: (draft: Draft) => Promise<void | 'not-saved'> | void
  /** If false, a submit does not save unchanged input, and SubmitBar shows a message. */
  savesUnchanged?: boolean
  /** Key of the draft: form and record. A new key needs a new component instance (React's `key`). */
  autosave?: { key: string } | undefined
}

/** @returns the form with the components of this folder, as in the example above */
export function useDraftForm<Values extends object, Draft = Values>({
  schema,
  defaultValues,
  onSubmit,
  savesUnchanged = true,
  autosave,
}: DraftFormOptions<Values, Draft>) {
  const drafts = use(FormDraftsContext)
  const [longTexts] = useState<LongTexts>(() => new Map())
  // The cast is needed because ArkType types its input as `unknown`.
  const onDynamic = schema as unknown as StandardSchemaV1<Values, unknown>
  const form = useAppForm({
    defaultValues,
    validationLogic: revalidateLogic(),
    ...(schema && { validators: { onDynamic } }),
    canSubmitWhenInvalid: true,
    onSubmit: async ({ value, formApi }) => {
      if (!savesUnchanged && formApi.state.isDefaultValue) return
      // This is not awaited, because a failure costs only suggestions in 定型文.
      if (drafts && longTexts.size > 0)
        void rememberSentences(drafts, value, longTexts).catch(() => undefined)
      const end = formAutosave.submits(drafts)
      let isSaved = false
      try {
        isSaved = (await onSubmit((schema ? schema.assert(value) : value) as Draft)) !== 'not-saved'
      } finally {
        end(isSaved)
      }
    },
    onSubmitInvalid: ({ formApi }) => {
      // Failed field validators stop the submit before the schema runs, so the schema is run here to show all errors
      // together.
      void formApi.validate('submit')
      focusFirstError(document.getElementById(formApi.formId) ?? document)
    },
  })
  const [formAutosave] = useState(() => createFormAutosave(form, autosave?.key))
  useEffect(() => (drafts ? formAutosave.start(drafts) : undefined), [formAutosave, drafts])
  return Object.assign(form, { formAutosave, longTexts, ready: schema?.ready })
}

/** The part of an ArkType schema that a form uses. The schema loads after the form has rendered (decisions/forms). */
interface Rules {
  assert(value: unknown): unknown
  readonly '~standard': { validate(value: unknown): unknown }
}

/** `load` loads the module once per page (it throws if that fails; the next call tries again); `code` is its result. */
export function lazyRules<M>(load: () => Promise<M>) {
  let code: M | undefined
  return { load: loadedOnce(async () => void (code = await load())), code: () => code }
}

export type LazyRules<M> = ReturnType<typeof lazyRules<M>>

/** Milliseconds after which an open form loads its rules. Filling in a form usually takes longer. */
const AFTER_MS = 1_000

/**
 * The schema of a form for `useDraftForm`.
 * @param make creates the schema from the loaded module, once per form
 */
export function useLazySchema<M, Draft>(
  rules: LazyRules<M>,
  make: (code: M) => Rules & { readonly infer: Draft },
): FormSchema<Draft> {
  const [schema] = useState(() => schemaOf(rules, make))
  useEffect(() => {
    // A first validation fills the caches of the rules, so that 保存 reacts quickly.
    const validate = () => void schema['~standard'].validate({})
    const timer = setTimeout(
      () =>
        void rules
          .load()
          .then(validate)
          .catch(() => undefined),
      AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [rules, schema])
  return schema
}

function schemaOf<M>({ load, code }: LazyRules<M>, make: (code: M) => Rules) {
  let made: Rules | undefined
  const known = () => {
    const loaded = code()
    return (made ??= loaded && make(loaded))
  }
  return {
    ready: () => (code() ? null : load()),
    assert(value: unknown) {
      const schema = known()
      if (!schema) throw new Error('form: submitted before its rules were there')
      return schema.assert(value)
    },
    '~standard': {
      version: 1,
      vendor: 'genba',
      validate: (value: unknown) => known()?.['~standard'].validate(value) ?? { value },
    },
  }
}
