import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Viewer } from '../../../shared/viewer.ts'
import { trpc, type Api } from '../../api/trpc.ts'
import {
  deviceState,
  forgetDevice,
  notifyDevice,
  type DeviceState,
  type PushCalls,
} from '../../browser/device-notifications.ts'

function pushCalls({ client: { notifications } }: Api): PushCalls {
  return {
    key: async () => (await notifications.delivery.query()).pushKey,
    subscribe: (subscription) => notifications.subscribePush.mutate(subscription),
  }
}

/** Whether this device notifies the user, and a function that changes it. */
export function useDevice({ id }: Viewer, onChanged?: (state: DeviceState) => void) {
  const api = trpc.useUtils()
  const [state, setState] = useState(() => deviceState(id))
  const update = useMutation({
    mutationFn: (isOn: boolean) =>
      isOn
        ? notifyDevice(id, pushCalls(api))
        : forgetDevice((endpoint) => api.client.notifications.unsubscribePush.mutate({ endpoint })),
    onSettled() {
      const next = deviceState(id)
      setState(next)
      onChanged?.(next)
    },
  })
  return { state, update }
}
