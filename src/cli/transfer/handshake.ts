import { defined } from "../../api/defined.ts";
import {
  type StorageTransferApproval,
  type StorageTransferRequest,
  type StorageTransferRequestSpecOptions,
  storageTransferApprovals,
  storageTransferRequests,
} from "../../api/gen/transfer.ts";
import type { Stored } from "../../api/object.ts";
import type { Place } from "../kubectl/names.ts";

export type Request = Stored<StorageTransferRequest>;
export type Approval = Stored<StorageTransferApproval>;

/** Everything that both sides must say alike. */
export interface Handshake {
  readonly source: Place;
  readonly target: Place;
  readonly requestName: string;
  readonly approvalName: string;
}

const kind = "PersistentVolumeClaim";
const { group, version } = storageTransferRequests;
const apiVersion = `${group}/${version}`;

export function requestOf(
  { source, target, requestName, approvalName }: Handshake,
  options: StorageTransferRequestSpecOptions = {},
): StorageTransferRequest {
  return {
    apiVersion,
    kind: storageTransferRequests.kind,
    metadata: { namespace: target.namespace, name: requestName },
    spec: {
      source: { namespace: source.namespace, name: source.name, kind },
      approvalName,
      targetName: target.name,
      ...(Object.keys(options).length === 0 ? {} : { options }),
    },
  };
}

export function approvalOf(
  { source, target, requestName, approvalName }: Handshake,
  sourceUID: string | undefined,
): StorageTransferApproval {
  return {
    apiVersion,
    kind: storageTransferApprovals.kind,
    metadata: { namespace: source.namespace, name: approvalName },
    spec: {
      source: { name: source.name, kind, ...defined({ uid: sourceUID }) },
      targetNamespace: target.namespace,
      requestName,
    },
  };
}

export function handshakeOf({ metadata, spec }: StorageTransferRequest): Handshake {
  return {
    source: { namespace: spec.source.namespace, name: spec.source.name },
    target: { namespace: metadata.namespace ?? "", name: spec.targetName },
    requestName: metadata.name ?? "",
    approvalName: spec.approvalName,
  };
}

/** What the other side types; whole, because they may not be allowed to read the request. */
export function approveLine({ source, target, requestName, approvalName }: Handshake): string {
  const words = [`--source ${source.name}`, `--approval-name ${approvalName}`];
  return `kubectl portway approve ${target.namespace}/${requestName} -n ${source.namespace} ${words.join(" ")}`;
}

export function requestLine({ source, target, requestName, approvalName }: Handshake): string {
  const words = [`--request-name ${requestName}`, `--approval-name ${approvalName}`];
  const name = target.name === source.name ? "" : ` ${target.name}`;
  return `kubectl portway request ${source.namespace}/${source.name}${name} -n ${target.namespace} ${words.join(" ")}`;
}
