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
import { DraftNotice } from './draft-notice.tsx'
import { focusFirstError } from './focus-first-error.ts'
import { fieldContext, formContext } from './form-contexts.ts'
import { FormDraftsContext } from './form-drafts.ts'
import { createFormAutosave } from './form-autosave.ts'
import { FormBody, LeaveGuard, PlainForm, SubmitBar, SubmitButton } from './form-parts.tsx'
import { type LongTexts, rememberSentences } from './phrases.tsx'
import * as fieldComponents from './fields.tsx'

export type FieldComponents = typeof fieldComponents

const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents,
  formComponents: { DraftNotice, FormBody, LeaveGuard, PlainForm, SubmitBar, SubmitButton },
})

/** An ArkType schema, possibly one that loads later (`lazy-schema.ts`). */
export interface FormSchema<Draft> {
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
