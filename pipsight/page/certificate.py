"""This machine's own certificate, so that a phone's browser lets the page use its camera."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cryptography.x509 import Certificate, GeneralName

VALID = timedelta(days=397)  # browsers refuse those that last longer
LEFT = timedelta(days=14)


class Files(NamedTuple):
    """Where a certificate and its key lie, in PEM."""

    certificate: Path
    key: Path


def addresses() -> tuple[str, ...]:
    """This machine's addresses in its local network, the one that others reach first; () without a network."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way a packet would go
        found.append(str(probe.getsockname()[0]))
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return tuple(dict.fromkeys(one for one in found if not ip_address(one).is_loopback))


def own_certificate(folder: Path, names: Iterable[str]) -> Files:
    """The certificate for these names and addresses: the one in the folder if it still does, else a new one there."""
    files = Files(folder / "certificate.pem", folder / "key.pem")
    wanted = frozenset(names)
    if not (files.key.exists() and files.certificate.exists() and _does(files.certificate, wanted) and _fit(files)):
        folder.mkdir(parents=True, exist_ok=True)
        _make(files, sorted(wanted))
    return files


def _does(path: Path, wanted: frozenset[str]) -> bool:
    from cryptography import x509

    try:
        known = x509.load_pem_x509_certificate(path.read_bytes())
    except ValueError:
        return False
    return known.not_valid_after_utc - LEFT > datetime.now(UTC) and wanted <= _names(known)


def _fit(files: Files) -> bool:
    """Whether key and certificate are each other's: two programs may have made them at once, or one was interrupted."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.certificate, files.key)
    except ssl.SSLError:
        return False
    return True


def _names(certificate: Certificate) -> frozenset[str]:
    from cryptography import x509

    named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    hosts = named.get_values_for_type(x509.DNSName)
    return frozenset([*hosts, *map(str, named.get_values_for_type(x509.IPAddress))])


def _make(files: Files, names: list[str]) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "pipsight")])
    now = datetime.now(UTC) - timedelta(minutes=5)
    draft = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + VALID)
    draft = draft.add_extension(x509.SubjectAlternativeName([_general(one) for one in names]), critical=False)
    draft = draft.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    files.key.touch(mode=0o600)
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    files.key.write_bytes(key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain))
    files.certificate.write_bytes(draft.sign(key, hashes.SHA256()).public_bytes(encoding))


def _general(name: str) -> GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
