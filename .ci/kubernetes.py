"""What must hold in rendered Kubernetes objects beyond their schemas. .ci/test-kubernetes uses it."""
import ipaddress, json, re, sys, types
import yaml

# Of the Kubernetes versions on the page, the oldest and the newest.
VERSIONS = ("1.30.0", "1.37.0")
# Secrets that the reader creates: docs/operations/kubernetes.md.
SECRETS = {"waypost": {"DATABASE_URL"}, "waypost-tls": {"tls.crt", "tls.key", "ca.crt"}, "waypost-metrics": {"token"},
           "waypost-ingress-tls": set()}
PARTS = 4  # services of one process, each of which has 1 s more when WAYPOST_STOP_LIMIT is over
VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}
ALL, CALLERS = ("coordinator", "worker", "migrate"), ("coordinator", "worker")
# Connections that the policies must or must not permit: of the pods of a role, to '> ADDRESS' or from '< namespace/NAME'.
CONNECTIONS = [
    (["coordinator"], "< namespace/ingress-nginx", "TCP", 8080, True), (["coordinator"], "< namespace/default", "TCP", 8080, True),
    (["coordinator"], "< namespace/default", "TCP", 9464, False), (["worker"], "< namespace/monitoring", "TCP", 9464, True),
    (["worker"], "< namespace/default", "TCP", 9464, False), (["migrate"], "< namespace/default", "TCP", 8080, False),
    (ALL, "> namespace/kube-system", "UDP", 53, True), (ALL, "> 10.1.2.3", "TCP", 5432, True), (ALL, "> 10.1.2.3", "TCP", 22, False),
    (CALLERS, "> 203.0.113.7", "TCP", 443, True), (CALLERS, "> 2001:db8::7", "TCP", 443, True),
    (CALLERS, "> 169.254.169.254", "TCP", 443, False), (CALLERS, "> 203.0.113.7", "TCP", 80, False),
    (["migrate"], "> 203.0.113.7", "TCP", 443, False),
]


def fits(selector, labels):
    """A selector with matchLabels or with matchExpressions of the operator In, or the plain map of a Service."""
    if "matchExpressions" in selector:
        return all(labels.get(one["key"]) in one["values"] for one in selector["matchExpressions"])
    return all(labels.get(key) == value for key, value in selector.get("matchLabels", selector).items())


def boxes(spec):
    return spec.get("initContainers", []) + spec["containers"]


def name_of(item):
    return f"{item['kind']} {item['metadata']['name']}"


def is_peer(rule, peer):
    if peer.startswith("namespace/"):
        return fits(rule.get("namespaceSelector", {"never": "yes"}), {"kubernetes.io/metadata.name": peer[10:]})
    block, address = rule.get("ipBlock"), ipaddress.ip_address(peer)
    return block and address in ipaddress.ip_network(block["cidr"]) and not any(
        address in ipaddress.ip_network(one) for one in block.get("except", []))


class Objects:
    def __init__(self, path):
        with open(path) as file:
            self.all = [one for one in yaml.load_all(file, yaml.CSafeLoader) if one]
        self.errors = []
        self.templates = {item["metadata"]["name"]: item["spec"]["template"] for item in self.kind("Deployment", "Job")}

    def kind(self, *kinds):
        return [item for item in self.all if item["kind"] in kinds]

    def named(self, kind, name):
        return next((item for item in self.kind(kind) if item["metadata"]["name"] == name), None)

    def pods_with(self, selector):
        return [pod for pod in self.templates.values() if fits(selector, pod["metadata"]["labels"])]

    def settings(self, container):
        """The environment of a container, as the kubelet makes it."""
        maps = [self.named("ConfigMap", source["configMapRef"]["name"]) or {"data": {}} for source in container.get("envFrom", [])]
        found = {name: value for one in maps for name, value in one["data"].items()}
        return found | {entry["name"]: entry["value"] for entry in container.get("env", [])}

    def rules(self):
        return [group for item in self.kind("PrometheusRule") for group in item["spec"]["groups"]]

    def expect(self, where, *rules):
        self.errors += [f"{where}: {text}" for holds, text in rules if not holds]

    def check(self):
        for item in self.all:
            self.expect(name_of(item), (item["kind"] == "Namespace" or item["metadata"].get("namespace") == "waypost", "the namespace is not waypost"))
        for name, template in self.templates.items():
            self.check_pod(name, template["spec"])
            for box in boxes(template["spec"]):
                self.check_box(f"{name}/{box['name']}", template["spec"], box)
        images = {box["image"] for pod in self.templates.values() for box in boxes(pod["spec"])}
        self.expect("all", (len(images) == 1, f"containers have different images: {sorted(images)}"))
        for item in self.kind("Deployment"):
            self.check_deployment(item)
        self.check_selectors()
        self.check_scalers()
        for roles, other, protocol, port, wanted in CONNECTIONS:
            for role in roles:
                self.expect(role, (self.permits(f"waypost-{role}", other, protocol, port) == wanted, f"{other} {protocol} {port} must be {wanted}"))
        return self.errors

    def check_pod(self, name, spec):
        volumes = spec.get("volumes", [])
        secrets = {volume["secret"]["secretName"] for volume in volumes if "secret" in volume}
        self.expect(
            name,
            (spec.get("enableServiceLinks") is False, "service links would set unknown WAYPOST_ variables"),
            (spec.get("automountServiceAccountToken") is False, "has a token for the Kubernetes API"),
            (not any(spec.get(field) for field in ("hostNetwork", "hostPID", "hostIPC")), "is in a namespace of the host"),
            (secrets <= SECRETS.keys(), f"nobody creates the Secrets {secrets}"),
            (all(volume.keys() - {"name"} <= VOLUMES for volume in volumes), "a kind of volume is not permitted"))

    def check_box(self, where, spec, box):
        """Also the rules of https://kubernetes.io/docs/concepts/security/pod-security-standards/, and a read-only root."""
        requests, limits = (box.get("resources", {}).get(part, {}) for part in ("requests", "limits"))
        volumes = {volume["name"]: volume for volume in spec.get("volumes", [])}
        mounts = {mount["mountPath"]: volumes.get(mount["name"]) for mount in box.get("volumeMounts", [])}
        own = box.get("securityContext", {})
        merged = spec.get("securityContext", {}) | own
        files = [value.rpartition("/") for value in self.settings(box).values() if value.startswith("/run/")]
        known = [SECRETS.get((mounts.get(folder) or {}).get("secret", {}).get("secretName"), ()) for folder, _, _ in files]
        self.expect(
            where,
            ({"cpu", "memory"} <= requests.keys(), "no requests of cpu and memory"),
            ("memory" in limits, "no limit of memory"),
            ("cpu" not in limits, "a limit of cpu stops a worker in the middle of its slots"),
            ("command" not in box and not re.search(r'"exec"', json.dumps(box)), "the image has no program except waypost"),
            (all(self.named("ConfigMap", one["configMapRef"]["name"]) for one in box.get("envFrom", [])), "a ConfigMap does not exist"),
            (None not in mounts.values(), "mounts a volume that the pod does not have"),
            (all(file in names for (_, _, file), names in zip(files, known)), f"the files of {files} are in no volume"),
            (merged.get("runAsNonRoot") is True and merged.get("runAsUser", 1), "may run as root"),
            (merged.get("seccompProfile", {}).get("type") in ("RuntimeDefault", "Localhost"), "no seccomp profile"),
            (own.get("allowPrivilegeEscalation") is False and not own.get("privileged"), "may gain privileges"),
            (own.get("readOnlyRootFilesystem") is True, "its root is not read-only"),
            (own.get("capabilities") == {"drop": ["ALL"]}, "has capabilities"),
            (not any(port.get("hostPort") for port in box.get("ports", [])), "takes a port of the host"))

    def check_deployment(self, item):
        spec, labels = item["spec"]["template"]["spec"], item["spec"]["template"]["metadata"]["labels"]
        [main] = spec["containers"]
        settings, is_worker = self.settings(main), main["args"] == ["worker"]
        ports = {port["name"]: port["containerPort"] for port in main.get("ports", [])}
        listens = settings.get("WAYPOST_WORKER_LISTEN" if is_worker else "WAYPOST_LISTEN", "")
        scheme = "HTTPS" if "WAYPOST_TLS_CERTIFICATE" in settings and not is_worker else "HTTP"
        for kind, path in {"startup": "/livez", "liveness": "/livez", "readiness": "/readyz"}.items():
            probe = main.get(f"{kind}Probe", {}).get("httpGet", {})
            self.expect(f"{name_of(item)}: the {kind} probe", (probe.get("path") == path, f"does not read {path}"),
                        (listens.endswith(f":{ports.get(probe.get('port'))}"), "reads no port of the program"),
                        (probe.get("scheme", "HTTP") == scheme, f"does not speak {scheme}"))
        stop = int(re.fullmatch(r"(\d+)s", settings.get("WAYPOST_STOP_LIMIT", "25s"))[1])
        pause = main.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        self.expect(
            name_of(item),
            (fits(item["spec"]["selector"], labels), "does not select its pods"),
            (spec.get("terminationGracePeriodSeconds", 30) > pause + stop + PARTS, f"its grace is too short for {pause} s, {stop} s and {PARTS} s"),
            (all(fits(one["labelSelector"], labels) for one in spec.get("topologySpreadConstraints", [])), "spreads other pods"),
            ([box["args"] for box in spec.get("initContainers", [])] == [["migrate", "--check"]], "does not wait for the migration"))

    def check_selectors(self):
        for item in self.kind("Service", "PodDisruptionBudget", "PodMonitor"):
            pods = self.pods_with(item["spec"]["selector"])
            ports = {port["name"] for pod in pods for box in pod["spec"]["containers"] for port in box.get("ports", [])}
            wanted = {port.get("targetPort", port.get("port")) for port in item["spec"].get("ports", []) + item["spec"].get("podMetricsEndpoints", [])}
            self.expect(name_of(item), (len(pods) == 1, f"selects {len(pods)} kinds of pods"), (wanted <= ports, f"no container has the ports {wanted}"))
        for item in self.kind("ServiceMonitor"):
            services = [one for one in self.kind("Service") if fits(item["spec"]["selector"], one["metadata"]["labels"])]
            ports = {port["name"] for one in services for port in one["spec"]["ports"]}
            secrets = [one["authorization"]["credentials"] for one in item["spec"]["endpoints"]]
            self.expect(name_of(item), (len(services) == 1, f"selects {len(services)} services"),
                        ({one["port"] for one in item["spec"]["endpoints"]} <= ports, "no service has its port"),
                        (all(one["key"] in SECRETS.get(one["name"], ()) for one in secrets), "nobody creates its Secret"))
        for item in self.kind("Ingress"):
            for backend in (path["backend"]["service"] for rule in item["spec"]["rules"] for path in rule["http"]["paths"]):
                ports = [port["name"] for port in (self.named("Service", backend["name"]) or {"spec": {"ports": []}})["spec"]["ports"]]
                self.expect(name_of(item), (backend["port"]["name"] in ports, f"there is no service {backend['name']} with its port"))
        for item in self.kind("NetworkPolicy"):
            self.expect(name_of(item), (self.pods_with(item["spec"]["podSelector"]), "selects no pod"))

    def check_scalers(self):
        for item in self.kind("ScaledObject", "HorizontalPodAutoscaler"):
            target = self.named("Deployment", item["spec"]["scaleTargetRef"]["name"])
            records = [rule.get("record") for group in self.rules() for rule in group["rules"]]
            self.expect(name_of(item), (target, "its target does not exist"), ("waypost_workers_wanted" in records, "no rule records its metric"),
                        (not target or "replicas" not in target["spec"], "the next 'apply' would undo its number of replicas"),
                        ("waypost_workers_wanted" in json.dumps(item), "does not use waypost_workers_wanted"))

    def permits(self, name, other, protocol, port):
        pod, (direction, peer) = self.templates[name], other.split(" ")
        kind, rules_of, peers_of = ("Egress", "egress", "to") if direction == ">" else ("Ingress", "ingress", "from")
        policies = [one["spec"] for one in self.kind("NetworkPolicy")
                    if fits(one["spec"]["podSelector"], pod["metadata"]["labels"]) and kind in one["spec"]["policyTypes"]]
        names = {entry["name"]: entry["containerPort"] for box in pod["spec"]["containers"] for entry in box.get("ports", [])}
        return not policies or any(
            (not rule.get(peers_of) or any(is_peer(one, peer) for one in rule[peers_of]))
            and (not rule.get("ports") or any(one["protocol"] == protocol and names.get(one["port"], one["port"]) == port for one in rule["ports"]))
            for policy in policies for rule in policy.get(rules_of, []))


def validate(item):
    """Compares an object with its schema. The CRDs have none in kubernetes-validate, but models that cloudcoil makes from them.
    Those ignore what they don't know, which is missing afterwards."""
    import cloudcoil.pydantic, kubernetes_validate
    # Of hundreds of models four are used. These two lines save 2 s, because the others are not built.
    cloudcoil.pydantic.BaseModel.model_config["defer_build"] = True
    sys.modules["cloudcoil.models.prometheus_operator.v1alpha1"] = types.ModuleType("unused")
    from cloudcoil.models.keda import v1alpha1 as keda
    from cloudcoil.models.prometheus_operator import v1 as monitoring
    model = {"keda.sh/v1alpha1": keda, "monitoring.coreos.com/v1": monitoring}.get(item["apiVersion"])
    if model is None:
        for version in VERSIONS:
            kubernetes_validate.validate(item, version, strict=True)
    elif getattr(model, item["kind"]).model_validate(item).model_dump(mode="json", by_alias=True, exclude_unset=True) != item:
        raise ValueError(f"{name_of(item)} has a field that its CRD does not have, or a value of another type")
