/**
 * TanStack Form, bound once. A screen with a form:
 *
 *     const form = useDraftForm({
 *       schema: quickReportDraft,
 *       defaultValues: { type: '', reason1: '', reason2: '', reportContent: '' },
 *       onSubmit: async (draft) => { await saveReport(…, draft); await navigate(…) },
 *     })
 *     return (
 *       <form.AppForm>
 *         <Frame title={…} footer={<form.SubmitBar hint={…}>{t`保存`}</form.SubmitBar>}>
 *           <form.FormBody>
 *             <form.AppField name="type" listeners={{ onChange: () => form.setFieldValue('reason1', '') }}>
 *               {(field) => <field.RadioField label={t`作業区分`} required options={QuickReportType.options} />}
 *             </form.AppField>
 *             <form.AppField name="reason1" validators={requiredIf<Values>(['type'], ({ type }) => type === '2')}>
 *               {(field) => <field.RadioField label={t`残作業の理由`} required options={Reason1.options} />}
 *             </form.AppField>
 *             <form.AppField name="reportContent">
 *               {(field) => <field.TextAreaField label={t`その他報告内容`} max={REPORT_CONTENT_MAX} />}
 *             </form.AppField>
 *           </form.FormBody>
 *           <form.LeaveGuard />
 *         </Frame>
 *       </form.AppForm>
 *     )
 *
 * Rules of every form (spec 5): nothing is judged before the first submit, then everything while it is typed; a submit
 * that fails shows all errors and focuses the first; while one submit runs a second is ignored. With `autosave` what is
 * typed survives a killed page: FormBody says that the form opened with it.
 */
import { createFormHook, revalidateLogic, type StandardSchemaV1 } from '@tanstack/react-form'
import { use, useEffect, useState } from 'react'
import { CheckboxesField, RadioField, SelectField } from './choice-fields.tsx'
import { DraftNotice } from './draft-notice.tsx'
import { focusFirstError } from './focus-first-error.ts'
import { fieldContext, formContext } from './form-contexts.ts'
import { FormDraftsContext } from './form-drafts.ts'
import { createFormKeeper } from './form-keeper.ts'
import { FormBody, LeaveGuard, PlainForm, SubmitBar, SubmitButton } from './form-parts.tsx'
import { DateField, PasswordField, TextAreaField, TextField, TimeField } from './text-fields.tsx'

const fieldComponents = {
  CheckboxesField,
  DateField,
  PasswordField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
  TimeField,
}
export type FieldComponents = typeof fieldComponents

const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents,
  formComponents: { DraftNotice, FormBody, LeaveGuard, PlainForm, SubmitBar, SubmitButton },
})

/** ArkType's, or one that comes later (`later-rules.ts`). */
export interface FormSchema<Draft> {
  readonly infer?: Draft
  assert(value: unknown): unknown
  /** What a submit waits for; null where nothing is missing. */
  ready?: () => Promise<void> | null
}

interface DraftFormOptions<Values, Draft> {
  /** What may be submitted: the resource's draft. Left out where rules on the fields say all (login). */
  schema?: FormSchema<Draft>
  /** What the fields start with; '' where nothing is chosen, also where the draft allows codes only. */
  defaultValues: Values
  /**
   * Runs with the parsed draft. When it returns, the input counts as saved and may be left. What it throws is a bug:
   * failures that are expected it handles. Where it could not save and leads away it says so: what was typed stays kept.
   */
  onSubmit: (draft: Draft) => Promise<void | 'not-saved'> | void
  /** False: a submit of what the form opened with saves nothing (SubmitBar says so). */
  savesUnchanged?: boolean
  /** What is typed is kept under this key: the form and what it is about. Another key is another form (React's `key`). */
  autosave?: { key: string } | undefined
}

/** @returns the form with the field and form components of this folder, as in the example above */
export function useDraftForm<Values extends object, Draft = Values>({
  schema,
  defaultValues,
  onSubmit,
  savesUnchanged = true,
  autosave,
}: DraftFormOptions<Values, Draft>) {
  const drafts = use(FormDraftsContext)
  // ArkType says what it takes as `unknown`, TanStack wants to hear it of these values
  const onDynamic = schema as unknown as StandardSchemaV1<Values, unknown>
  const form = useAppForm({
    defaultValues,
    validationLogic: revalidateLogic(),
    ...(schema && { validators: { onDynamic } }),
    canSubmitWhenInvalid: true,
    onSubmit: async ({ value, formApi }) => {
      if (!savesUnchanged && formApi.state.isDefaultValue) return
      const end = keeper.submits(drafts)
      let isSaved = false
      try {
        isSaved = (await onSubmit((schema ? schema.assert(value) : value) as Draft)) !== 'not-saved'
      } finally {
        end(isSaved)
      }
    },
    onSubmitInvalid: ({ formApi }) => {
      // rules on fields run first and end the submit: the schema has its say too, so that all errors show at once
      void formApi.validate('submit')
      focusFirstError(document.getElementById(formApi.formId) ?? document)
    },
  })
  const [keeper] = useState(() => createFormKeeper(form, autosave?.key))
  useEffect(() => (drafts ? keeper.start(drafts) : undefined), [keeper, drafts])
  return Object.assign(form, { keeper, ready: schema?.ready })
}
