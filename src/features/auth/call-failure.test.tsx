import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { useCall } from './call-failure.tsx'

test('clicks before the next frame start a call once, until it has settled', async () => {
  const call = vi.fn(() => Promise.reject(new Error('offline')))
  const reload = vi.fn(() => Promise.resolve())
  const onRender = vi.fn<(run: ReturnType<typeof useCall>['run']) => void>()
  function Control(props: { onRender: typeof onRender }) {
    props.onRender(useCall(undefined, reload).run)
    return null
  }
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient()}>
        <Control onRender={onRender} />
      </QueryClientProvider>
    </I18nProvider>,
  )
  const click = () => onRender.mock.lastCall?.[0](call)
  click()
  click()
  await vi.waitFor(() => expect(reload).toHaveBeenCalled())
  expect(call).toHaveBeenCalledTimes(1)
  await vi.waitFor(() => {
    click()
    expect(call).toHaveBeenCalledTimes(2)
  })
})
