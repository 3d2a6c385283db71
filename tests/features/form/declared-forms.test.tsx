/**
 * The forms and the declarations are tied: what is missing on either side does not compile, and what is drawn is looked at
 * here for every declared resource. A safety measure's form has ticks and photos, no field of its content.
 */
import { waitFor } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { Declaration, Field, InputOf } from '#schemas/declare.ts'
import { declared } from '#schemas/declared.ts'
import { customerLocationChangeRequest } from '#schemas/customer-location-change-request.ts'
import { emergencyReport } from '#schemas/emergency-report.ts'
import { inputOf } from '#schemas/form-values.ts'
import { ChangeForm } from '#features/customer-location-change-request/change-form.tsx'
import { EmergencyForm } from '#features/emergency-report/emergency-form.tsx'
import { ContactForm } from '#features/location-contact-change-request/contact-form.tsx'
import { NoteForm } from '#features/note-location-area/note-form.tsx'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { ReportForm } from '#features/quick-report/report-form.tsx'
import { useDeclaredForm, type ControlsFor } from '#form/use-declared-form.tsx'
import { renderFeature } from '../../support/render-feature.tsx'

const COMMON = { action: 'edit', title: '編集', back: null, request: null, draftKey: 'k' } as const
const save = async () => undefined

type Drawn = { [C in Exclude<keyof typeof declared, 'safetyMeasures'>]: (typeof declared)[C] }
type Forms = { [C in keyof Drawn]: (props: { initial: InputOf<Drawn[C]> }) => ReactNode }

/** A new resource is named here, or this does not compile. */
const forms: Forms = {
  quickReports: ({ initial }) => (
    <ReportForm {...COMMON} visit={null} times={null} initial={initial} onSave={save} />
  ),
  emergencyReports: function Emergency({ initial }) {
    const target = { resource: 'emergencyReports', recordKey: 'k', requestId: '1', workingDate: '' }
    const photos = useFormPhotos(target)
    return <EmergencyForm {...COMMON} initial={initial} photos={photos} onSave={save} />
  },
  customerLocationChangeRequests: ({ initial }) => <ChangeForm {...COMMON} initial={initial} onSave={save} />,
  locationContactChangeRequests: ({ initial }) => (
    <ContactForm {...COMMON} contactType="02" initial={initial} onSave={save} />
  ),
  noteLocationAreas: ({ initial }) => (
    <NoteForm {...COMMON} requestId="1" recordKey="k" note={initial.note} onSave={save} />
  ),
}

/** The fields that a report of each kind asks for: 残作業の理由 or 中止・延期の理由 go with their type. */
const ASKED: Partial<Record<string, readonly Record<string, string>[]>> = {
  quickReports: [
    { type: '2', reason2: '' },
    { type: '3', reason1: '' },
  ],
}

const typed = (declaration: Declaration) =>
  Object.entries<Field>(declaration.fields).filter(([, { from }]) => from === undefined)

const valueFor = (name: string, field: Field) => {
  const code = 'table' in field ? (field.table.options.at(-1)?.code ?? '') : `${name}の言葉`
  return field.kind === 'codes' ? [code] : code
}

const isShown = (root: HTMLElement, field: Field, value: unknown) => {
  const controls = [...root.querySelectorAll<HTMLInputElement>('input, textarea, select')]
  if (!('table' in field)) return controls.some((control) => control.value === value)
  const labels = [value].flat().map((code) => field.table.label(String(code)))
  return labels.every((label) =>
    controls.some((control) =>
      control instanceof HTMLSelectElement
        ? control.selectedOptions[0]?.text === label
        : control.checked && control.closest('label')?.textContent === label,
    ),
  )
}

const CASES = Object.keys(forms).flatMap((collection) =>
  (ASKED[collection] ?? [{}]).map((over) => [collection as keyof Forms, over] as const),
)

test.each(CASES)(
  '[spec 5] the form of %s has a control for every field of its draft %j',
  async (of, over) => {
    const declaration: Declaration = declared[of]
    const values = Object.fromEntries(
      typed(declaration).map(([name, field]) => [name, valueFor(name, field)]),
    )
    const initial = { ...inputOf(declaration, values), ...over }
    const Form = forms[of] as (props: { initial: object }) => ReactNode
    await renderFeature(<Form initial={initial} />, { path: '/outbox' })
    const missing = () =>
      typed(declaration)
        .filter(([name]) => Reflect.get(initial, name) !== '')
        .filter(([name, field]) => !isShown(document.body, field, Reflect.get(initial, name)))
        .map(([name]) => name)
    await waitFor(() => expect(missing()).toEqual([]))
  },
)

const text: ControlsFor<typeof customerLocationChangeRequest>['inMethod'] = (field, said) => (
  <field.TextAreaField label="入館方法" {...said} />
)
const parkingType: ControlsFor<typeof customerLocationChangeRequest>['parkingType'] = (field, said) => (
  <field.SelectField label="駐車場区分" {...said} />
)

test('[spec 5] what a form and its declaration do not agree in does not compile', () => {
  const whole: ControlsFor<typeof customerLocationChangeRequest> = {
    parkingType,
    parkingMethod: text,
    inMethod: text,
  }
  // @ts-expect-error a field of the draft has no control
  const lacking: ControlsFor<typeof customerLocationChangeRequest> = { parkingType, parkingMethod: text }
  // @ts-expect-error a control is of no field of the draft
  const foreign: ControlsFor<typeof customerLocationChangeRequest> = { ...whole, parkingNote: text }
  const wrong: ControlsFor<typeof emergencyReport>['risk'] = (field) => (
    // @ts-expect-error several codes have no radio buttons
    <field.RadioField label="リスク" options={[]} />
  )
  const input: InputOf<typeof emergencyReport> = {
    ...inputOf(emergencyReport),
    // @ts-expect-error a default of the wrong type
    risk: '',
  }
  // @ts-expect-error a default is missing
  const short: InputOf<typeof customerLocationChangeRequest> = { parkingType: '', parkingMethod: '' }
  expect([lacking, foreign, wrong, input, short]).toHaveLength(5)
})

test('[spec 5] a control that only its own resource has is drawn by its declaration', async () => {
  function Probe() {
    const [initial] = useState(() => inputOf(customerLocationChangeRequest))
    const form = useDeclaredForm({
      declaration: customerLocationChangeRequest,
      defaultValues: initial,
      onSubmit: save,
      autosave: { key: 'probe' },
    })
    return <form.AppForm>{form.fields({ parkingType, parkingMethod: text, inMethod: text })}</form.AppForm>
  }
  await renderFeature(<Probe />, { path: '/outbox' })
  await waitFor(() => expect(document.querySelectorAll('textarea, select')).toHaveLength(3))
})
